/** By their names in the log, with the words of the board's buttons. */
export const auditedActions = {
  refresh: 'Refresh',
  release: 'Clear attention',
  'undo-release': 'Undo clearing',
  resend: 'Resend',
  replay: 'Replay',
  reprocess: 'Reprocess',
  erase: 'Erase',
  cancel: 'Cancel',
  reconcile: 'Reconcile',
  backfill: 'Backfill',
  add: 'Add',
  change: 'Change',
  rename: 'Rename',
  remove: 'Remove',
  test: 'Send a test',
  pause: 'Pause',
  resume: 'Resume',
  'send-now': 'Send now',
  acknowledge: 'Acknowledge',
  unacknowledge: 'Undo acknowledging',
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

export const auditedNames = Object.keys(auditedActions) as [AuditedAction, ...AuditedAction[]];

export const auditedTargets = [
  'subject',
  'announcement',
  'delivery',
  'bulk',
  'warehouse',
  'destination',
  'alert',
  'event-name',
] as const;

/** `id`: a subject's key, an announcement's id, a number, a tenant and a destination's name, a condition, or an event's name. */
export interface AuditTarget {
  readonly type: (typeof auditedTargets)[number];
  readonly id: string;
}

/** Holder of a token; the name is not verified. */
export interface Actor {
  readonly token: string;
  readonly operator: string | null;
}

/** The detail of `refused` has the reason. */
export const auditOutcomes = ['done', 'refused', 'failed'] as const;

export type AuditOutcome = (typeof auditOutcomes)[number];

export interface AuditedAttempt {
  readonly action: AuditedAction;
  readonly target: AuditTarget;
  readonly actor: Actor;
}
