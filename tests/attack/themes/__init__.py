# SPDX-License-Identifier: Apache-2.0
"""The attacks, a module a theme."""
