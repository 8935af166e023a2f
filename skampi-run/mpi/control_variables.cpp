// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mpi/control_variables.hpp"

#include "mpi/check.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <fmt/format.h>
#include <mpi.h>
#include <string_view>

namespace skampi {

#ifdef SKAMPI_SIMULATED

struct ControlVariables::Handles {};
ControlVariables::ControlVariables() = default;
ControlVariables::~ControlVariables() = default;
std::set<std::string> ControlVariables::names() const {
    return {};
}
std::vector<ControlVariable> ControlVariables::numbers(std::string_view, std::string_view) const {
    return {};
}
std::optional<int> ControlVariables::read(const std::string&) const {
    return std::nullopt;
}
std::optional<std::string> ControlVariables::text(const std::string&) const {
    return std::nullopt;
}
std::string ControlVariables::write(const std::string& name, int) const {
    return fmt::format("there is no variable {}", name);
}

#else

namespace {

/// MPI_T's description of a variable.
struct CvarInfo {
    std::string name;
    std::string description;
    MPI_Datatype datatype = MPI_DATATYPE_NULL;
    MPI_T_enum words = MPI_T_ENUM_NULL;
    int binding = 0;
    int scope = 0;
    bool usable = false; ///< the library described it
};

CvarInfo cvar_info(int index) {
    CvarInfo info;
    int name_length = 0; // with a length of 0 it returns the length it needs
    int description_length = 0;
    int verbosity = 0;
    if (MPI_T_cvar_get_info(index, nullptr, &name_length, &verbosity, &info.datatype, &info.words, nullptr,
                            &description_length, &info.binding, &info.scope) != MPI_SUCCESS)
        return info;
    std::string name(static_cast<std::size_t>(name_length) + 1, '\0');
    std::string description(static_cast<std::size_t>(description_length) + 1, '\0');
    name_length = static_cast<int>(name.size());
    description_length = static_cast<int>(description.size());
    if (MPI_T_cvar_get_info(index, name.data(), &name_length, &verbosity, &info.datatype, &info.words,
                            description.data(), &description_length, &info.binding,
                            &info.scope) != MPI_SUCCESS)
        return info;
    info.name = name.c_str();
    info.description = description.c_str();
    info.usable = true;
    return info;
}

int count_cvars() {
    int count = 0;
    return MPI_T_cvar_get_num(&count) == MPI_SUCCESS ? count : 0;
}

std::vector<std::pair<int, std::string>> words_of(MPI_T_enum words) {
    std::vector<std::pair<int, std::string>> found;
    if (words == MPI_T_ENUM_NULL)
        return found;
    std::array<char, 256> text{};
    int length = static_cast<int>(text.size());
    int count = 0;
    if (MPI_T_enum_get_info(words, &count, text.data(), &length) != MPI_SUCCESS)
        return found;
    for (int i = 0; i < count; ++i) {
        int number = 0;
        length = static_cast<int>(text.size());
        if (MPI_T_enum_get_item(words, i, &number, text.data(), &length) == MPI_SUCCESS)
            found.emplace_back(number, text.data());
    }
    return found;
}

template <typename Number>
std::string numbers_text(const std::vector<std::byte>& bytes, int count) {
    std::vector<Number> numbers(static_cast<std::size_t>(count));
    std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
    return fmt::format("{}", fmt::join(numbers, " "));
}

/// Bytes of one element of a variable, at most.
constexpr std::size_t largest_content =
    std::max({sizeof(unsigned long long), sizeof(MPI_Count), sizeof(double)});

/// The content of a variable of MPI_T's types; none = of another.
std::optional<std::string> content_text(MPI_Datatype type, const std::vector<std::byte>& bytes, int count) {
    if (type == MPI_CHAR) {
        const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return text.substr(0, text.find('\0'));
    }
    if (type == MPI_C_BOOL)
        return numbers_text<unsigned char>(bytes, count);
    if (type == MPI_INT)
        return numbers_text<int>(bytes, count);
    if (type == MPI_UNSIGNED)
        return numbers_text<unsigned>(bytes, count);
    if (type == MPI_UNSIGNED_LONG)
        return numbers_text<unsigned long>(bytes, count);
    if (type == MPI_UNSIGNED_LONG_LONG)
        return numbers_text<unsigned long long>(bytes, count);
    if (type == MPI_COUNT)
        return numbers_text<MPI_Count>(bytes, count);
    if (type == MPI_DOUBLE)
        return numbers_text<double>(bytes, count);
    return std::nullopt;
}

/// A variable of a library that is open for reading and writing. Its type decides how many bytes that moves.
struct OpenVariable {
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    bool is_flag = false; ///< a byte, else an int
};

} // namespace

struct ControlVariables::Handles {
    bool initialized = false;
    std::map<std::string, int> indices; ///< of all variables
    std::map<std::string, OpenVariable> opened;

    /// MPI_T_finalize is never called: behind it, MPICH 4.0 does not find its variables again and crashes if
    /// MPI_T is initialized a second time; Open MPI 4.1 crashes in it behind MPI_Finalize.
    Handles() {
        int provided = 0;
        initialized = MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS;
        if (!initialized)
            return;
        const int count = count_cvars();
        for (int i = 0; i < count; ++i)
            if (const CvarInfo info = cvar_info(i); info.usable)
                indices.emplace(info.name, i);
    }
    Handles(const Handles&) = delete;
    Handles& operator=(const Handles&) = delete;
    ~Handles() {
        for (auto& [name, variable] : opened)
            if (variable.handle != MPI_T_CVAR_HANDLE_NULL)
                MPI_T_cvar_handle_free(&variable.handle);
    }

    /// Null handle: there is none of this name, or it does not hold one number.
    const OpenVariable& open(const std::string& name) {
        const auto known = opened.find(name);
        if (known != opened.end())
            return known->second;
        OpenVariable variable;
        if (const auto index = indices.find(name); index != indices.end()) {
            const CvarInfo info = cvar_info(index->second);
            variable.is_flag = info.datatype == MPI_C_BOOL;
            const bool fits = info.usable && info.binding == MPI_T_BIND_NO_OBJECT &&
                              (variable.is_flag || info.datatype == MPI_INT);
            int count = 0;
            if (fits &&
                MPI_T_cvar_handle_alloc(index->second, nullptr, &variable.handle, &count) != MPI_SUCCESS)
                variable.handle = MPI_T_CVAR_HANDLE_NULL;
            if (variable.handle != MPI_T_CVAR_HANDLE_NULL && count != 1)
                MPI_T_cvar_handle_free(&variable.handle);
        }
        return opened.emplace(name, variable).first->second;
    }
};

ControlVariables::ControlVariables()
    : handles_(std::make_unique<Handles>()) {}
ControlVariables::~ControlVariables() = default;

std::set<std::string> ControlVariables::names() const {
    std::set<std::string> names;
    for (const auto& [name, index] : handles_->indices)
        names.insert(name);
    return names;
}

std::vector<ControlVariable> ControlVariables::numbers(std::string_view name_begins,
                                                       std::string_view name_ends) const {
    std::map<int, ControlVariable> found; // by index: the library's order
    for (const auto& [name, index] : handles_->indices) {
        if (!name.starts_with(name_begins) || !name.ends_with(name_ends))
            continue;
        const CvarInfo info = cvar_info(index);
        if (info.datatype == MPI_INT)
            found[index] = {name, info.description, words_of(info.words), info.scope == MPI_T_SCOPE_CONSTANT};
    }
    std::vector<ControlVariable> variables;
    for (auto& [index, variable] : found)
        variables.push_back(std::move(variable));
    return variables;
}

std::optional<int> ControlVariables::read(const std::string& name) const {
    const OpenVariable& variable = handles_->open(name);
    if (variable.handle == MPI_T_CVAR_HANDLE_NULL)
        return std::nullopt;
    int number = 0;
    bool flag = false;
    void* const place = variable.is_flag ? static_cast<void*>(&flag) : &number;
    if (MPI_T_cvar_read(variable.handle, place) != MPI_SUCCESS)
        return std::nullopt;
    return variable.is_flag ? static_cast<int>(flag) : number;
}

std::optional<std::string> ControlVariables::text(const std::string& name) const {
    const auto index = handles_->indices.find(name);
    const CvarInfo info = index == handles_->indices.end() ? CvarInfo() : cvar_info(index->second);
    if (!info.usable || info.binding != MPI_T_BIND_NO_OBJECT)
        return std::nullopt;
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int count = 0;
    if (MPI_T_cvar_handle_alloc(index->second, nullptr, &handle, &count) != MPI_SUCCESS)
        return std::nullopt;
    std::optional<std::string> text;
    if (count > 0) {
        // Room for each type that a variable can have: MPI_Type_size ends the program before MPI_Init.
        std::vector<std::byte> bytes(static_cast<std::size_t>(count) * largest_content + 1);
        if (MPI_T_cvar_read(handle, bytes.data()) == MPI_SUCCESS)
            text = content_text(info.datatype, bytes, count);
    }
    MPI_T_cvar_handle_free(&handle);
    return text;
}

std::string ControlVariables::write(const std::string& name, int number) const {
    const OpenVariable& variable = handles_->open(name);
    if (variable.handle == MPI_T_CVAR_HANDLE_NULL)
        return fmt::format("the MPI library has no variable {} that holds a number", name);
    bool flag = number != 0;
    const void* const place = variable.is_flag ? static_cast<const void*>(&flag) : &number;
    const int code = MPI_T_cvar_write(variable.handle, place);
    return code == MPI_SUCCESS ? std::string()
                               : fmt::format("{} = {} was refused: {}", name, number, mpi_error_text(code));
}

#endif

} // namespace skampi
