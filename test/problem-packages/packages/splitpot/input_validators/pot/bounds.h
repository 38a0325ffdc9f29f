#pragma once

const long long FEWEST = 2;
const long long MOST = 1000000000000;
