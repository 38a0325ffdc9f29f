import { testValidators } from '../support/validator-cases.ts'

testValidators('unsandboxed')
