// SPDX-License-Identifier: MIT
#include "plan_support.hpp"

namespace sandbox::runner::test {

Image hand_made_image() {
  Image image;
  image.binds = {
      {"/etc/alternatives", "/etc/alternatives", true, 1, 10},
      {"/etc/ld.so.cache", "/etc/ld.so.cache", false, 1, 11},
      {"/mnt/disk/py", "/opt/py", true, 2, 12},
      {"/srv/one/file", "/srv/one/file", false, 3, 13},
      {"/usr", "/usr", true, 1, 14},
      {"/var/lib/py", "/var/lib/py", true, 1, 15},
  };
  image.links = {
      {"/bin", "usr/bin"}, {"/lib", "usr/lib"}, {"/lib64", "usr/lib64"}, {"/opt/python", "py"}};
  image.late_binds = {
      {"/tmp/python3", "/tmp/python3", false, 4, 20},
      {"/tmp/venv/lib", "/tmp/venv/lib", true, 4, 21},
      {"/work/deep/er/lib", "/work/deep/er/lib", true, 5, 22},
      {"/work/venv", "/work/venv", true, 5, 23},
  };
  image.late_links = {{"/tmp/venv/bin", "lib/bin"}, {"/work/py", "venv/bin/python3"}};
  image.interpreter = "/opt/python/bin/python3";
  return image;
}

}  // namespace sandbox::runner::test
