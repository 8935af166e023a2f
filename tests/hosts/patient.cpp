// SPDX-License-Identifier: GPL-2.0-or-later
// Preloaded where hosts are more than the machine has cores: a process that asks for messages again and again
// sleeps until there is one, for a millisecond at most, and leaves its core to the other hosts.
#include <dlfcn.h>
#include <sys/epoll.h>

extern "C" int epoll_wait(int descriptor, epoll_event* events, int most, int timeout_ms) {
    using Wait = int (*)(int, epoll_event*, int, int);
    static const auto true_wait = reinterpret_cast<Wait>(dlsym(RTLD_NEXT, "epoll_wait"));
    const int found = true_wait(descriptor, events, most, timeout_ms);
    return found == 0 && timeout_ms == 0 ? true_wait(descriptor, events, most, 1) : found;
}
