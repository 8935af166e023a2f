#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# scripts/release in a small repository of its own: what is in the tarball, and what it refuses.
#   release_test.sh RELEASE
set -euo pipefail

release=$1
command -v git > /dev/null || { echo 'no git here: skipped'; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAILED: $*" >&2
    exit 1
}

export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x@x GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x@x
mkdir -p "$work/source/scripts" "$work/source/debian" "$work/bin"
cp "$release" "$work/source/scripts/release"
cd "$work/source"
git init --quiet
printf "project('skampi', 'cpp',\n  version: '1.2.3',\n)\n" > meson.build
echo '## 1.2.3' > CHANGELOG.md
echo 'version: 1.2.3' > CITATION.cff
echo '/debian export-ignore' > .gitattributes
echo x > debian/control
printf '#!/bin/sh\nexit %s\n' '${REUSE_STATUS-0}' > "$work/bin/reuse"
chmod +x "$work/bin/reuse"
export PATH=$work/bin:$PATH
git add --all
git commit --quiet --message=x

scripts/release --no-test "$work/a" > /dev/null || fail 'a ready version was refused'
scripts/release --no-test "$work/b" > /dev/null
cmp "$work/a/skampi-1.2.3.tar.xz" "$work/b/skampi-1.2.3.tar.xz" || fail 'the same commit gave other bytes'
(cd "$work/a" && sha256sum --check --quiet skampi-1.2.3.tar.xz.sha256) || fail 'the sum is wrong'
names=$(tar --list --file "$work/a/skampi-1.2.3.tar.xz")
grep -qx skampi-1.2.3/meson.build <<< "$names" || fail "the tarball lacks meson.build: $names"
grep -q debian <<< "$names" && fail 'debian/ is in the tarball'

refuses() {
    local why=$1
    scripts/release --no-test "$work/c" > "$work/out" 2>&1 && fail "$why was not refused"
    grep -q "$why" "$work/out" || { cat "$work/out"; fail "expected a refusal for $why"; }
}
REUSE_STATUS=1 refuses 'reuse lint'
echo '## 1.2.2' > CHANGELOG.md
refuses 'not committed'
git commit --quiet --all --message=x
refuses CHANGELOG.md
