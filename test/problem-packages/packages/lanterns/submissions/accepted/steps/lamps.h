#pragma once

/** The metres that a lantern lights, on both sides. */
constexpr int LIT = 2 * {{reach}};

int countLanterns(int length);
