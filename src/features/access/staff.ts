import { AppError } from '../../http/routing/errors.ts'

/** The refusal of callers who do not manage a contest (P20). */
export const notStaff = () => new AppError('FORBIDDEN', 'Only the staff of the event may do this')
