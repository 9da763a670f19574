#!/usr/bin/env bash
# Installs the operator package that follows this script.
set -euo pipefail

vendor=@VENDOR@
sum=@SHA256@
self=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")

usage() {
  cat <<END
Usage: $(basename "$0") [--install-path=DIR] [--uninstall] [--extract=DIR] [--list] [--quiet]

  --install-path=DIR  install to DIR/vendors/$vendor, to be made known by sourcing bin/set_env.bash there;
                      without it to \$ASCEND_OPP_PATH/vendors/$vendor, which CANN finds by itself
  --uninstall         remove what was installed there
  --extract=DIR       only unpack, to DIR/$vendor
  --list              only list the files
  --quiet             print errors only
END
}

fail() {
  echo "$(basename "$0"): $1" >&2
  exit 1
}

say() {
  [[ $quiet == yes ]] || echo "$1"
}

payload() {
  tail -n +"$(($(grep -a -n -m1 '^#### payload ####$' "$self" | cut -d: -f1) + 1))" "$self"
}

unpack() { # to a folder that exists
  payload | tar -xzf - --no-same-owner -C "$1" || fail "unpacking to $1 failed; is the disk full?"
}

# The first line of config.ini lists the vendors; the first one that has an operator is asked.
set_priority() { # config.ini, vendors
  {
    printf 'load_priority=%s\n' "$2"
    [[ ! -f $1 ]] || tail -n +2 "$1"
  } >"$1.new"
  mv "$1.new" "$1"
}

other_vendors() { # as config.ini lists them
  [[ ! -f $1 ]] || sed -n '1s/^load_priority=//p' "$1" | tr ',' '\n' | { grep -v -x -e "$vendor" -e '' || true; } |
    paste -sd, -
}

install_path=
action=install
quiet=no
words=()
for word in "$@"; do
  if [[ $word == --*=* ]]; then words+=("${word%%=*}" "${word#*=}"); else words+=("$word"); fi
done
set -- ${words[@]+"${words[@]}"}
while [[ $# -gt 0 ]]; do
  case $1 in
    --install-path | --extract)
      [[ -n ${2:-} ]] || fail "$1 has no value; see --help"
      if [[ $1 == --extract ]]; then action=extract; fi
      install_path=$2
      shift 2 ;;
    --uninstall) action=uninstall; shift ;;
    --list) action=list; shift ;;
    --quiet) quiet=yes; shift ;;
    -h | --help) usage; exit 0 ;;
    *) fail "unknown argument '$1'; see --help" ;;
  esac
done

[[ $(payload | sha256sum | cut -d' ' -f1) == "$sum" ]] || fail "the package is damaged; copy it again"

if [[ $action == list ]]; then
  payload | tar -tzf -
  exit 0
fi
if [[ $action == extract ]]; then
  mkdir -p "$install_path"
  unpack "$install_path"
  say "unpacked to $install_path/$vendor"
  exit 0
fi

root=${install_path:-${ASCEND_OPP_PATH:-}}
[[ -n $root ]] || fail "CANN's environment is not set; source its set_env.sh, or give --install-path=DIR"
[[ -n $install_path || -d $root ]] || fail "ASCEND_OPP_PATH is '$root', which is no folder; source CANN's set_env.sh again"
if [[ $action == uninstall ]]; then
  [[ -d $root/vendors/$vendor ]] || fail "there is no $root/vendors/$vendor"
else
  mkdir -p "$root/vendors" || fail "$root cannot be written; give a folder of yours as --install-path=DIR"
fi
[[ -w $root/vendors ]] || fail "$root/vendors cannot be written; give a folder of yours as --install-path=DIR"
root=$(cd "$root" && pwd)
target=$root/vendors/$vendor
config=$root/vendors/config.ini

if [[ $action == install ]]; then
  fresh=$(mktemp -d "$root/vendors/.$vendor.XXXXXX")
  trap 'rm -rf "$fresh"' EXIT
  unpack "$fresh"
  rm -rf "$target"
  mv "$fresh/$vendor" "$target"
  chmod 755 "$target"
else
  rm -rf "$target"
fi

if [[ -z $install_path ]]; then
  others=$(other_vendors "$config")
  if [[ $action == install ]]; then
    set_priority "$config" "$vendor${others:+,$others}"
  elif [[ -n $others ]]; then
    set_priority "$config" "$others"
  else
    rm -f "$config"
  fi
fi

if [[ $action == uninstall ]]; then
  say "removed $target"
elif [[ -n $install_path ]]; then
  say "installed to $target; before CANN starts, run: source $target/bin/set_env.bash"
else
  say "installed to $target"
fi
exit 0
#### payload ####
