import { AppError } from '../../../http/routing/errors.ts'

export const NOT_STAFF = 'Only the staff of the event may do this'

/** The error for callers who do not manage a contest (P20). */
export const notStaff = () => new AppError('FORBIDDEN', NOT_STAFF)

/** The error for users who may not take part (P21). */
export const notAParticipant = () =>
  new AppError('NOT_A_PARTICIPANT', 'You do not take part in the event: ask its staff to add you')
