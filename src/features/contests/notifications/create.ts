/** Part of a statement: notifies the existing users of each (user_id, event_id, question_id). */
export function notificationsFrom(recipients: string, type: 'question' | 'answer'): string {
  return `insert into notifications (user_id, event_id, question_id, notification_type)
      select recipient.user_id, recipient.event_id, recipient.question_id, '${type}'
      from (${recipients}) as recipient
      join users on users.id = recipient.user_id
      where users.deleted_at is null`
}
