// The one place where Asio's code is compiled (BOOST_ASIO_SEPARATE_COMPILATION).
// SPDX-License-Identifier: MIT
#include <boost/asio/impl/src.hpp>
