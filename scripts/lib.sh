# What the scripts share: packages, builds, test runs and their sum. Sourced, never run.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=$(nproc)

say() { printf '== %s\n' "$*"; }
die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# Names of the packages in the given groups.
packages_of() {
  local group
  for group in "$@"; do
    awk -v group="$group" '$1 == group { print $2 }' "$project/scripts/packages.txt"
  done
}

# Installs what is missing of the given groups; touches nothing when nothing is.
install_packages() {
  local -a wanted missing=()
  local name
  mapfile -t wanted < <(packages_of "$@")
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "not a Debian-like system: nothing is installed; needed are: ${wanted[*]}"
    return
  fi
  for name in "${wanted[@]}"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null) == installed ]] ||
      missing+=("$name")
  done
  if ((${#missing[@]} == 0)); then
    say "packages: all ${#wanted[@]} are there"
    return
  fi
  local -a as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || die "needs root or sudo to install: ${missing[*]}"
    as_root=(sudo)
  fi
  say "packages: installing ${missing[*]}"
  "${as_root[@]}" apt-get update -q &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# configure_and_build PRESET [CMAKE-OPTION...]
configure_and_build() {
  local preset=$1
  shift
  say "building preset $preset in build/$preset"
  (cd "$project" && cmake --preset "$preset" "$@" && cmake --build --preset "$preset" -j "$jobs")
}

# Where the runs of this session leave their results; .ci/run names one place for all its runs.
results=${SANDBOX_RESULTS_DIR:-$project/build/results}

# run_suite NAME CTEST-ARGUMENT...: runs ctest in the current directory, keeps its result as NAME.
# The exit code is ctest's.
run_suite() {
  local name=$1
  shift
  mkdir -p "$results"
  rm -f "$results/$name".*
  say "tests: $name"
  ctest --output-on-failure --no-tests=error -j2 --output-junit "$results/$name.xml" "$@" |
    tee "$results/$name.log"
}

# Runs the tests of a label (or several: 'a|b') in BUILD again as nobody, who has no privilege at all.
run_suite_as_nobody() {
  local name=$1 build=$2 label=$3
  local work status=0
  work=$(mktemp -d /tmp/sandbox-nobody-XXXXXX)
  # A tree of its own that points at the build: ctest then writes nothing into the build.
  printf 'subdirs("%s")\n' "$build" >"$work/CTestTestfile.cmake"
  mkdir "$work/tmp"
  chown -R 65534:65534 "$work"
  say "tests: $name (as nobody)"
  mkdir -p "$results"
  rm -f "$results/$name".*
  "$project/scripts/as-nobody" "$project" env "HOME=$work" "TMPDIR=$work/tmp" \
    ctest --test-dir "$work" --output-on-failure --no-tests=error -j2 -L "^($label)\$" \
    --output-junit "$work/result.xml" | tee "$results/$name.log" || status=$?
  if [[ -f $work/result.xml ]]; then cp "$work/result.xml" "$results/$name.xml"; fi
  rm -rf "$work"
  return "$status"
}

# Prints "N passed, N failed, N skipped" over all results; fails when a test failed or none ran.
# Arguments are names of stages that failed without a test to show for it; each counts as one.
print_totals() {
  python3 "$project/scripts/totals.py" "$results" "$@"
}
