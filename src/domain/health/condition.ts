/** Facts about a condition, whatever place it is found at. */
interface ConditionFacts {
  /** Name on pages, in plain words. */
  readonly title: string;
  /** People are told at any hour. */
  readonly isUrgent: boolean;
  /** It is over as soon as it is noticed: it opens at once, and nobody is told that it has ended. */
  readonly isEvent?: true;
  /** Its place is one subject, or what is sent of it. */
  readonly isOfOne?: true;
  /** Conditions of one place that are one trouble: it may change from one to another. */
  readonly family?: 'warehouse' | 'destination' | 'temporal';
  /** Word for what happened to the things that waited, once it is over. */
  readonly caughtUp?: string;
  /** Sentences about the automatic reaction, and about what a person can do. */
  readonly does: string;
  readonly help: string;
  /** Section of the runbooks. */
  readonly runbook: string;
}

const RETRIES = 'Dockline keeps retrying; everything that waits continues in order.';

/** Conditions of which incidents are, by the names that the configuration has. How each is found is in `src/health/conditions`. */
export const conditions = {
  'warehouse-failing': {
    title: 'A warehouse fails',
    isUrgent: true,
    family: 'warehouse',
    caughtUp: 'retrieved',
    does: RETRIES,
    help: 'If it lasts, ask the warehouse.',
    runbook: 'the-warehouse-is-down',
  },
  'credential-refused': {
    title: 'A warehouse refuses the credential',
    isUrgent: true,
    family: 'warehouse',
    caughtUp: 'retrieved',
    does: 'Dockline retries every few minutes.',
    help: 'Compare the credential with what the warehouse gave you; dockline doctor names the setting.',
    runbook: 'the-warehouse-refuses-the-credential',
  },
  'warehouse-limiting': {
    title: 'A warehouse limits GETs',
    isUrgent: false,
    family: 'warehouse',
    caughtUp: 'retrieved',
    does: 'Dockline waits as long as the warehouse asks, then retries.',
    help: 'Lower WAREHOUSE_CALLS_PER_SECOND, or ask the warehouse for a higher rate.',
    runbook: 'the-warehouse-is-down',
  },
  'warehouse-partly-failing': {
    title: 'A warehouse fails for some GETs',
    isUrgent: true,
    caughtUp: 'retrieved',
    does: RETRIES,
    help: 'Other GETs succeed. If it lasts, ask the warehouse about these records.',
    runbook: 'the-warehouse-is-down',
  },
  'role-missing': {
    title: 'The credential lacks a role',
    isUrgent: false,
    does: 'Dockline announces events without what it may not read, and keeps checking for the role.',
    help: 'Ask the warehouse for the role.',
    runbook: 'a-role-is-missing',
  },
  'record-failing': {
    title: 'The warehouse cannot return a record',
    isUrgent: false,
    isOfOne: true,
    does: RETRIES,
    help: 'Other records arrive. Ask the warehouse about this one.',
    runbook: 'a-poisoned-order',
  },
  'destination-failing': {
    title: 'A receiver fails',
    isUrgent: true,
    family: 'destination',
    caughtUp: 'delivered',
    does: 'Announcements wait, and are sent in order once it answers.',
    help: 'Fix the receiver; its page shows its last answers.',
    runbook: 'a-destination-was-down-for-a-day',
  },
  'destination-partly-failing': {
    title: 'A receiver rejects some announcements',
    isUrgent: true,
    caughtUp: 'delivered',
    does: 'Dockline retries them, and sends the others.',
    help: 'Read the answers on its page; it accepts other announcements.',
    runbook: 'a-destination-was-down-for-a-day',
  },
  'announcement-failing': {
    title: 'A receiver rejects an announcement',
    isUrgent: false,
    isOfOne: true,
    does: 'Dockline retries it until the retry limit, and sends the others.',
    help: 'Read the answer; the receiver accepts other announcements.',
    runbook: 'a-destination-was-down-for-a-day',
  },
  'destination-stopped': {
    title: 'A receiver was stopped',
    isUrgent: true,
    family: 'destination',
    caughtUp: 'delivered',
    does: 'Nothing is sent to it; its announcements wait.',
    help: 'Fix the receiver, then press Resume: what waits is sent in order.',
    runbook: 'a-destination-was-stopped',
  },
  quarantine: {
    title: 'Webhooks are in quarantine',
    isUrgent: false,
    does: 'Dockline keeps them until somebody acts.',
    help: 'Read the reasons. Accept unknown names there; webhooks that are then understood are replayed.',
    runbook: 'unknown-names',
  },
  'dead-letters': {
    title: 'Announcements were given up',
    isUrgent: false,
    does: 'Dockline keeps them, and resends none automatically.',
    help: 'Once the receiver works again, press Resend.',
    runbook: 'a-destination-was-down-for-a-day',
  },
  stalled: {
    title: 'Orders have stalled',
    isUrgent: false,
    does: 'Dockline continues as soon as the warehouse reports a change.',
    help: 'Ask the warehouse what they are waiting for.',
    runbook: 'orders-are-late-or-stalled',
  },
  overdue: {
    title: 'Orders are overdue',
    isUrgent: false,
    does: 'Dockline continues as soon as the warehouse reports a change.',
    help: 'The list starts with the ones most overdue.',
    runbook: 'orders-are-late-or-stalled',
  },
  'at-risk': {
    title: 'Orders are at risk of being late',
    isUrgent: false,
    does: 'Dockline continues as soon as the warehouse reports a change.',
    help: 'The list starts with the ones due soonest.',
    runbook: 'orders-are-late-or-stalled',
  },
  'webhooks-stopped': {
    title: 'Webhooks have stopped coming',
    isUrgent: true,
    does: 'Reconciliation finds what was missed, if it is scheduled.',
    help: 'Compare the subscription with dockline doctor, and ask the warehouse whether it sends.',
    runbook: 'nothing-flows',
  },
  'reconciliation-failing': {
    title: 'Reconciliation fails',
    isUrgent: false,
    does: 'Dockline tries again at the next interval.',
    help: 'Until then, lost webhooks go unnoticed. dockline reconcile shows the error.',
    runbook: 'reconciliation-fails-or-finds-differences',
  },
  'reconciliation-differences': {
    title: 'Reconciliation found differences',
    isUrgent: false,
    does: 'Dockline has already corrected them.',
    help: 'If it happens again, the warehouse is losing webhooks: ask it why.',
    runbook: 'reconciliation-fails-or-finds-differences',
  },
  'listing-limited': {
    title: 'A warehouse lists less than requested',
    isUrgent: false,
    does: 'Dockline works around it, which costs more GETs or finds less.',
    help: 'If the warehouse has other names for these properties, set them in WAREHOUSE_PROPERTIES; dockline doctor shows whether that helps. Otherwise ask the warehouse.',
    runbook: 'reconciliation-fails-or-finds-differences',
  },
  'key-unavailable': {
    title: 'A key cannot be fetched',
    isUrgent: true,
    does: 'Webhooks that cannot be verified are answered 503, so the warehouse sends them again.',
    help: 'Compare the address of the key with what the warehouse publishes.',
    runbook: 'the-warehouse-changed-its-key',
  },
  'certificate-expiring': {
    title: 'A certificate expires soon',
    isUrgent: false,
    does: 'Dockline uses the certificate until it expires, and a new one as soon as it is in place.',
    help: 'Renew it.',
    runbook: 'a-clock-is-wrong-or-a-certificate-expires',
  },
  'disk-nearly-full': {
    title: 'The disk is nearly full',
    isUrgent: true,
    does: 'Dockline runs until the disk is full.',
    help: 'Free or add space: a full disk stops webhooks from being accepted.',
    runbook: 'the-disk-is-full',
  },
  'clock-wrong': {
    title: 'A clock is wrong',
    isUrgent: false,
    does: 'Dockline keeps using its clock.',
    help: 'Synchronize the clock (NTP): receivers refuse signatures that are five minutes off.',
    runbook: 'a-clock-is-wrong-or-a-certificate-expires',
  },
  'temporal-away': {
    title: 'Temporal does not answer',
    isUrgent: true,
    family: 'temporal',
    caughtUp: 'recorded',
    does: 'Webhooks are accepted and wait; processing resumes automatically once it is back.',
    help: 'Start Temporal, or restore the connection to it.',
    runbook: 'nothing-flows',
  },
  'queue-unpolled': {
    title: 'No worker is running',
    isUrgent: true,
    family: 'temporal',
    caughtUp: 'recorded',
    does: 'Webhooks are accepted and wait; processing resumes automatically once a worker runs.',
    help: 'Start a process with the role worker that has the same configuration.',
    runbook: 'nothing-flows',
  },
  stuck: {
    title: 'Webhooks wait for a long time',
    isUrgent: false,
    caughtUp: 'recorded',
    does: 'Dockline works through them in order, at the rate the warehouse allows.',
    help: 'In a burst they wait for that rate. Otherwise check the load of the workers.',
    runbook: 'nothing-flows',
  },
  'dockline-away': {
    title: 'Dockline was down',
    isUrgent: false,
    isEvent: true,
    does: 'Dockline catches up automatically: the warehouse sends those webhooks again, or reconciliation finds them.',
    help: 'Nothing to do, unless it happens again.',
    runbook: 'a-process-is-down',
  },
  unjudged: {
    title: 'Something cannot be checked',
    isUrgent: true,
    does: 'Dockline checks again every few seconds.',
    help: 'The log has the error. Until then, its state is unknown.',
    runbook: 'where-to-look-first',
  },
  'store-away': {
    title: 'The database does not answer',
    isUrgent: true,
    does: 'Webhooks are answered 503, so the warehouse sends them again; processing resumes once the database answers.',
    help: 'Start the database, or restore the connection to it.',
    runbook: 'a-process-is-down',
  },
} as const satisfies Readonly<Record<string, ConditionFacts>>;

export type ConditionName = keyof typeof conditions;

export const conditionNames = Object.keys(conditions) as [ConditionName, ...ConditionName[]];

/** Returns the facts about a condition. */
export const factsOf = (name: ConditionName): ConditionFacts => conditions[name];
