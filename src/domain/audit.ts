/** Actions of people that change something. */
export const auditedActions = [
  'refresh',
  'release',
  'undo-release',
  'resend',
  'repeat',
  'replay',
  'erase',
  'backup',
  'cancel',
  'reconcile',
  'backfill',
  'add',
  'change',
  'rotate',
  'remove',
  'test',
  'pause',
  'resume',
  'send-now',
  'silence',
  'unsilence',
  'note',
  'remove-note',
  'take',
  'give-back',
  'accept-name',
  'forget-name',
] as const;

export type AuditedAction = (typeof auditedActions)[number];

/** Types of targets of an action. */
export const auditedTargets = [
  'subject',
  'announcement',
  'delivery',
  'bulk',
  'store',
  'warehouse',
  'destination',
  'alert',
  'channel',
  'event-name',
] as const;

/** Thing that an action is done to: a subject's key, an announcement's id, the number of a delivery or a bulk action, the database, a warehouse's tenant, a tenant and the name of a destination, a condition for alerts, a channel for them, or the key of an event's name. */
export interface AuditTarget {
  readonly type: (typeof auditedTargets)[number];
  readonly id: string;
}

/** Person who acts: the name of the token, and the name that its holder gives, which nobody verifies. */
export interface Actor {
  readonly token: string;
  readonly operator: string | null;
}

/** Ends of an action: it was done, was refused for a reason that its detail names, or failed. */
export const auditOutcomes = ['done', 'refused', 'failed'] as const;

export type AuditOutcome = (typeof auditOutcomes)[number];

/** Action that begins. */
export interface AuditedAttempt {
  readonly action: AuditedAction;
  readonly target: AuditTarget;
  readonly actor: Actor;
}
