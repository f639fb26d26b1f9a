# Finds nvcc, or installs NVIDIA's wheels into .toolchain/. Sourced by set-up.sh and before-build.sh.
# shellcheck shell=sh
# shellcheck disable=SC2154  # root, build, log: the caller sets them

toolchain=$root/.toolchain
[ -w "$root" ] || toolchain=$build/toolchain
wheels_nvcc=$toolchain/nvidia/cu13/bin/nvcc

# Sets $nvcc; empty if there is none.
find_nvcc() {
    unfit=
    if [ -n "${LAB_NVCC-}" ]; then
        nvcc=$LAB_NVCC
        is_fit "$nvcc" && return
        say "LAB_NVCC=$LAB_NVCC: ${unfit:-no nvcc that runs}; $(wanted_cuda) is needed."
        exit 2
    fi
    for nvcc in "$(command -v nvcc)" "${CUDA_HOME-}/bin/nvcc" /usr/local/cuda/bin/nvcc \
        /usr/local/cuda-*/bin/nvcc "$wheels_nvcc"; do
        is_fit "$nvcc" && return
    done
    nvcc=
}

# If there is no nvcc: NVIDIA's wheels into .toolchain/. Sets $toolkit, too, its folder.
need_nvcc() {
    if [ -z "$nvcc" ]; then
        [ -z "$unfit" ] || say "$unfit, and $(wanted_cuda) is needed."
        install_wheels
        nvcc=$wheels_nvcc
    fi
    # The real one, not a link or a wrapper: the sandbox that it runs in holds its toolkit and no more.
    toolkit=$(toolkit_of "$nvcc")
    [ ! -x "$toolkit/bin/nvcc" ] || nvcc=$toolkit/bin/nvcc
}

# The programs of a prebuilt package work with objects of one CUDA version: $made_for_cuda.
wanted_cuda() { if [ -n "${made_for_cuda-}" ]; then echo "CUDA $made_for_cuda"; else echo "CUDA 12.4 or newer"; fi; }

# Sets $unfit for one that runs but is older than 12.4, or not the one of a prebuilt package.
is_fit() {
    [ -x "$1" ] || return 1
    version=$("$1" --version 2>/dev/null | sed -n 's/.*release \([0-9]*\.[0-9]*\).*/\1/p')
    [ -n "$version" ] || return 1
    if [ -n "${made_for_cuda-}" ]; then
        [ "${version%.*}" = "$made_for_cuda" ] && return 0
    else
        [ "$((${version%.*} * 100 + ${version#*.}))" -ge 1204 ] && return 0
    fi
    unfit="$1 is CUDA $version"
    return 1
}

# The folder with bin/ and include/. nvcc itself knows best: it may be a symbolic link or a wrapper.
toolkit_of() {
    top=$("$1" --dryrun -x cu /dev/null 2>&1 | sed -n 's/^#\$ _\{0,1\}TOP=//p')
    (cd -P -- "${top:-${1%/*}/..}" && pwd -P)
}

say_nvcc_is_missing() {
    if [ -z "${LAB_NO_INSTALL-}" ]; then
        say "nvcc is missing too: ./lab puts NVIDIA's own into .toolchain/, which takes no rights."
        return
    fi
    say "nvcc is missing, and LAB_NO_INSTALL is set. Install the CUDA Toolkit 13, or say where it is"
    say "(LAB_NVCC=/path/to/nvcc), or run ./lab once without LAB_NO_INSTALL: it then puts NVIDIA's"
    say "compiler into .toolchain/ (105 MB to download; no rights needed, but python3-pip)."
}

# NVIDIA's own Python wheels: compiler, runtime headers and libraries, CCCL. No rights are needed.
install_wheels() {
    if [ -n "${LAB_NO_INSTALL-}" ]; then
        say "this machine has no nvcc."
        say_nvcc_is_missing
        exit 5
    fi
    case $(uname -sm) in
    'Linux x86_64' | 'Linux aarch64') ;;
    *)
        say "this machine has no nvcc, and CUDA Labs can fetch one for Linux on 64-bit x86 and Arm only. Install"
        say "the CUDA Toolkit 13 for $(uname -sm), or say where it is: LAB_NVCC=/path/to/nvcc"
        exit 5
        ;;
    esac
    say "installing NVIDIA's CUDA compiler into $toolchain (105 MB to download, 280 MB on disk) ..."
    # First next to its final place, so that the contents of .toolchain/ are always complete.
    rm -rf "$toolchain.part"
    PIP_USER=0 with_progress "Installing NVIDIA's compiler" "$log/toolkit.log" follow_pip \
        python3 -m pip install --no-input --disable-pip-version-check --retries 1 --timeout 30 --no-cache-dir --no-deps --no-compile --only-binary=:all: --require-hashes \
        --target "$toolchain.part" -r "$root/grader/cmake/nvidia-wheels.txt" ||
        fault "pip could not install NVIDIA's compiler" "$log/toolkit.log"
    # The wheels lack what a toolkit installed otherwise has: names that linkers and CMake look for,
    # and the right of others than the owner to run the programs.
    ln -s lib "$toolchain.part/nvidia/cu13/lib64"
    ln -s libcudart.so.13 "$toolchain.part/nvidia/cu13/lib/libcudart.so"
    chmod -R a+rX "$toolchain.part"
    rm -rf "$toolchain"
    mv "$toolchain.part" "$toolchain"
    is_fit "$wheels_nvcc" || fault "NVIDIA's compiler in $toolchain does not run" "$log/toolkit.log"
}
