/** Actions of people that change something, by the names that the log has for them, in the words of the board's buttons. */
export const auditedActions = {
  refresh: 'Refresh',
  release: 'Clear attention',
  'undo-release': 'Undo clearing',
  resend: 'Resend',
  repeat: 'Send again',
  replay: 'Replay',
  erase: 'Erase',
  backup: 'Back up',
  cancel: 'Cancel',
  reconcile: 'Reconcile',
  backfill: 'Backfill',
  add: 'Add',
  change: 'Change',
  rename: 'Rename',
  rotate: 'New secret',
  remove: 'Remove',
  test: 'Send a test',
  pause: 'Pause',
  resume: 'Resume',
  'send-now': 'Send now',
  silence: 'Silence',
  unsilence: 'End the silence',
  note: 'Add a note',
  'remove-note': 'Remove a note',
  take: 'Take',
  'give-back': 'Give back',
  'accept-name': 'Accept a name',
  'forget-name': 'Undo a name',
} as const;

export type AuditedAction = keyof typeof auditedActions;

/** Names of all actions. */
export const auditedNames = Object.keys(auditedActions) as [AuditedAction, ...AuditedAction[]];

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
