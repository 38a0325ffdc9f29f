/** The variables that decide which tests run, on what. */
const OF_TESTS = [
  ...['TEST_DATABASE_URL', 'TEST_AMQP_URL', 'TEST_REQUIRE_ALL', 'SANDBOX_REQUIRED'],
  ...['TEST_MODELS', 'TEST_LIMIT_MS', 'PACKAGE_ROUNDS'],
]

/** The environment of this process without what decides which tests run. */
export const withoutTestVariables = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_TESTS.includes(name)))
