#!/usr/bin/env bash
# Builds the operator's package for CANN, build_out/custom_opp_<os>_<arch>.run.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
socs=ascend910b,ascend910_93,ascend950
vendor=maxpoolgrad
override=OFF
jobs=$(getconf _NPROCESSORS_ONLN)

usage() {
  cat <<END
Usage: build.sh [--soc=LIST] [--override-builtin] [--vendor NAME] [--jobs N]

  --soc=LIST          products, separated by commas, of ascend910b (A2), ascend910_93 (A3) and ascend950;
                      all three if not given
  --override-builtin  replace the kernel of this name that CANN itself has on the ascend950; without it that
                      kernel stays, and models use it there
  --vendor NAME       the package's folder below vendors/; $vendor if not given
  --jobs N            compile so many files at once; $jobs if not given

Needs an installed CANN whose environment is set: source <CANN>/set_env.sh
END
}

fail() {
  echo "build.sh: $1" >&2
  exit 1
}

# --flag=value and --flag value are the same.
words=()
for word in "$@"; do
  if [[ $word == --*=* ]]; then words+=("${word%%=*}" "${word#*=}"); else words+=("$word"); fi
done
set -- ${words[@]+"${words[@]}"}

while [[ $# -gt 0 ]]; do
  case $1 in
    --soc | --vendor | --jobs)
      [[ -n ${2:-} ]] || fail "$1 has no value; see build.sh --help"
      case $1 in
        --soc) socs=$2 ;;
        --vendor) vendor=$2 ;;
        --jobs) jobs=$2 ;;
      esac
      shift 2 ;;
    --override-builtin) override=ON; shift ;;
    -h | --help) usage; exit 0 ;;
    *) fail "unknown argument '$1'; see build.sh --help" ;;
  esac
done

[[ $vendor =~ ^[A-Za-z][A-Za-z0-9_]*$ ]] ||
  fail "--vendor is '$vendor'; it must be a letter followed by letters, digits and _"
[[ $jobs =~ ^[1-9][0-9]*$ ]] || fail "--jobs is '$jobs'; it must be a number of 1 or more"

with_950=OFF
kernels=
for soc in ${socs//,/ }; do
  case $soc in
    ascend910b | ascend910_93) kernels+=";$soc" ;;
    ascend950)
      with_950=ON
      if [[ $override == ON ]]; then kernels+=";$soc"; fi ;;
    *) fail "--soc has '$soc'; allowed are ascend910b, ascend910_93 and ascend950" ;;
  esac
done
kernels=${kernels#;}
[[ $override == OFF || $with_950 == ON ]] || fail "--override-builtin is for ascend950, which --soc does not list"

# An environment that is set names CANN; its usual places are not searched for what the user did not choose.
cann=${ASCEND_HOME_PATH:-}
[[ -n $cann ]] ||
  fail "CANN's environment is not set; install CANN and run 'source <CANN>/set_env.sh', such as /usr/local/Ascend/cann/set_env.sh"
[[ -d $cann/compiler/tikcpp/ascendc_kernel_cmake ]] ||
  fail "ASCEND_HOME_PATH is '$cann', which has no compiler/tikcpp/ascendc_kernel_cmake; install the CANN toolkit, not the runtime alone"
command -v cmake >/dev/null || fail "cmake is missing; install it (pip install cmake)"

about_950=
if [[ $with_950 == ON && $override == OFF ]]; then
  about_950="ascend950: CANN's own MaxPoolV3Grad kernel stays, because other models use it; this package adds the ONNX \
plugin there and no kernel. To replace it, build with --override-builtin."
elif [[ $with_950 == ON ]]; then
  about_950="ascend950: this package's kernel replaces CANN's own MaxPoolV3Grad in every model on the machine; it takes \
float16 and float32 only."
fi
[[ -z $about_950 ]] || echo "$about_950"
echo "kernels for: ${kernels:-no product}"

preset=a2-a3
if [[ -z $kernels ]]; then
  preset=plugin-only
elif [[ $override == ON ]]; then
  preset=override-builtin
elif [[ $with_950 == ON ]]; then
  preset=default
fi

out=$here/build_out
rm -rf "$out"
mkdir "$out"
(cd "$here" && cmake --preset "$preset" -DASCEND_COMPUTE_UNIT="$kernels" -Dvendor_name="$vendor" \
  -DASCEND_CANN_PACKAGE_PATH="$cann")
cmake --build "$out/cmake" --parallel "$jobs"
if [[ -n $kernels ]]; then
  cmake --build "$out/cmake" --parallel "$jobs" --target binary
fi
cmake --install "$out/cmake" --prefix "$out/stage" >"$out/install.log"

tree=$out/stage/packages/vendors/$vendor
rm -f "$tree/op_proto/inc/op_proto.h" # generated, and narrower in types than max_pool_v3_grad_proto.h beside it
parts=(framework)
if [[ -n $kernels ]]; then parts+=(op_impl op_proto op_api); fi
for part in "${parts[@]}"; do
  [[ -d $tree/$part ]] || fail "the build gave no $part folder; see $out/install.log for what it gave"
done

[[ -z $about_950 ]] || echo "$about_950" # once more, below the compilers' output
system=$(. /etc/os-release 2>/dev/null && echo "${ID:-linux}" || echo linux)
"$here/cmake/make_run.sh" "$tree" "$out/custom_opp_${system}_$(uname -m).run"
