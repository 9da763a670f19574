#!/usr/bin/env bash
# make_run.sh VENDOR_FOLDER PACKAGE.run: packs a vendor's folder behind the installer, run_header.sh.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
tree=$1
package=$2
vendor=$(basename "$tree")

mkdir -p "$tree/bin"
cp "$here/set_env.bash" "$tree/bin/set_env.bash"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The same tree gives the same bytes.
tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$(dirname "$tree")" -cf - "$vendor" |
  gzip -n >"$work/payload"
sum=$(sha256sum "$work/payload" | cut -d' ' -f1)
sed -e "s/@VENDOR@/$vendor/" -e "s/@SHA256@/$sum/" "$here/run_header.sh" >"$work/package"
cat "$work/payload" >>"$work/package"
chmod +x "$work/package"
mv "$work/package" "$package"
echo "$package"
