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

const RETRIES = 'It retries by itself, and everything that waits continues in order.';

/** Conditions of which incidents are, by the names that the configuration has. How each is found is in `src/health/conditions`. */
export const conditions = {
  'warehouse-failing': {
    title: 'A warehouse fails',
    isUrgent: true,
    family: 'warehouse',
    caughtUp: 'retrieved',
    does: RETRIES,
    help: 'If it goes on, ask the warehouse.',
    runbook: 'the-warehouse-is-down',
  },
  'credential-refused': {
    title: 'A warehouse refuses the credential',
    isUrgent: true,
    family: 'warehouse',
    caughtUp: 'retrieved',
    does: 'It retries every few minutes.',
    help: 'Compare the credential with what the warehouse gave you; dockline doctor names the setting.',
    runbook: 'the-warehouse-refuses-the-credential',
  },
  'warehouse-limiting': {
    title: 'A warehouse limits GETs',
    isUrgent: false,
    family: 'warehouse',
    caughtUp: 'retrieved',
    does: 'It waits as long as the warehouse asks for, and retries.',
    help: 'Lower WAREHOUSE_CALLS_PER_SECOND, or ask the warehouse for a higher rate.',
    runbook: 'the-warehouse-is-down',
  },
  'warehouse-partly-failing': {
    title: 'A warehouse fails for some GETs',
    isUrgent: true,
    caughtUp: 'retrieved',
    does: RETRIES,
    help: 'Other GETs succeed. If it goes on, ask the warehouse about these records.',
    runbook: 'the-warehouse-is-down',
  },
  'role-missing': {
    title: 'The credential lacks a role',
    isUrgent: false,
    does: 'It announces without what it may not read, and asks again by itself.',
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
    does: 'What it has not accepted waits and is sent in order once it answers.',
    help: 'Mend the receiver; its page has its last answers.',
    runbook: 'a-destination-was-down-for-a-day',
  },
  'destination-partly-failing': {
    title: 'A receiver rejects some announcements',
    isUrgent: true,
    caughtUp: 'delivered',
    does: 'It tries them again, and sends the others.',
    help: 'Read the answers on its page: it accepts others.',
    runbook: 'a-destination-was-down-for-a-day',
  },
  'announcement-failing': {
    title: 'A receiver rejects an announcement',
    isUrgent: false,
    isOfOne: true,
    does: 'It tries it again until it is given up, and sends the others.',
    help: 'Read the answer: the receiver accepts others.',
    runbook: 'a-destination-was-down-for-a-day',
  },
  'destination-stopped': {
    title: 'A receiver was stopped',
    isUrgent: true,
    family: 'destination',
    caughtUp: 'delivered',
    does: 'Nothing more is sent to it; what it is to get waits.',
    help: 'Mend the receiver, then press Resume: what waits is sent in order.',
    runbook: 'a-destination-was-stopped',
  },
  quarantine: {
    title: 'Webhooks are in quarantine',
    isUrgent: false,
    does: 'It keeps them until somebody acts.',
    help: 'Read the reasons. Unknown names can be accepted there, and what is understood afterwards replayed.',
    runbook: 'unknown-names',
  },
  'dead-letters': {
    title: 'Announcements were given up',
    isUrgent: false,
    does: 'It keeps them, and sends none of them by itself.',
    help: 'Once the receiver is mended, press Resend.',
    runbook: 'a-destination-was-down-for-a-day',
  },
  stalled: {
    title: 'Orders have stalled',
    isUrgent: false,
    does: 'It goes on as soon as the warehouse reports a change.',
    help: 'Ask the warehouse what they wait for.',
    runbook: 'orders-are-late-or-stalled',
  },
  overdue: {
    title: 'Orders are overdue',
    isUrgent: false,
    does: 'It goes on as soon as the warehouse reports a change.',
    help: 'The list begins with those that were due first.',
    runbook: 'orders-are-late-or-stalled',
  },
  'at-risk': {
    title: 'Orders are at risk of being late',
    isUrgent: false,
    does: 'It goes on as soon as the warehouse reports a change.',
    help: 'The list begins with those that are due first.',
    runbook: 'orders-are-late-or-stalled',
  },
  'webhooks-stopped': {
    title: 'Webhooks have stopped coming',
    isUrgent: true,
    does: 'Reconciliation finds what is missed, as far as it is scheduled.',
    help: 'Compare the subscription with dockline doctor, and ask the warehouse whether it sends.',
    runbook: 'nothing-flows',
  },
  'reconciliation-failing': {
    title: 'Reconciliation fails',
    isUrgent: false,
    does: 'It tries again at the next interval.',
    help: 'Webhooks that were lost go unnoticed meanwhile. dockline reconcile shows the error.',
    runbook: 'reconciliation-fails-or-finds-differences',
  },
  'reconciliation-differences': {
    title: 'Reconciliation found differences',
    isUrgent: false,
    does: 'It has mended them already.',
    help: 'If it happens again, the warehouse loses webhooks: ask it why.',
    runbook: 'reconciliation-fails-or-finds-differences',
  },
  'listing-limited': {
    title: 'A warehouse lists less than it is asked for',
    isUrgent: false,
    does: 'It goes on in another way, which costs more GETs or finds less.',
    help: 'If the warehouse has other names for these properties, set them in WAREHOUSE_PROPERTIES; dockline doctor shows whether that helps. Otherwise ask the warehouse.',
    runbook: 'reconciliation-fails-or-finds-differences',
  },
  'key-unavailable': {
    title: 'A key cannot be fetched',
    isUrgent: true,
    does: 'It answers 503 to webhooks that it cannot verify, so that they come again.',
    help: 'Compare the address of the key with what the warehouse publishes.',
    runbook: 'the-warehouse-changed-its-key',
  },
  'certificate-expiring': {
    title: 'A certificate expires soon',
    isUrgent: false,
    does: 'It uses the certificate until it expires, and a new one as soon as it is there.',
    help: 'Renew it.',
    runbook: 'a-clock-is-wrong-or-a-certificate-expires',
  },
  'disk-nearly-full': {
    title: 'The disk is nearly full',
    isUrgent: true,
    does: 'It goes on until the disk is full.',
    help: 'Free or add space: a full disk stops the intake of webhooks.',
    runbook: 'the-disk-is-full',
  },
  'clock-wrong': {
    title: 'A clock is wrong',
    isUrgent: false,
    does: 'It goes on with the clock that it has.',
    help: 'Synchronize the clock (NTP): receivers refuse signatures that are five minutes off.',
    runbook: 'a-clock-is-wrong-or-a-certificate-expires',
  },
  'temporal-away': {
    title: 'Temporal does not answer',
    isUrgent: true,
    family: 'temporal',
    caughtUp: 'recorded',
    does: 'Webhooks are accepted and wait; everything continues by itself once it is back.',
    help: 'Start Temporal, or mend the way to it.',
    runbook: 'nothing-flows',
  },
  'queue-unpolled': {
    title: 'Nobody polls a task queue',
    isUrgent: true,
    family: 'temporal',
    caughtUp: 'recorded',
    does: 'Webhooks are accepted and wait; everything continues by itself once a worker polls.',
    help: 'Start a process with the role worker that has the same configuration.',
    runbook: 'nothing-flows',
  },
  stuck: {
    title: 'Webhooks wait for long',
    isUrgent: false,
    caughtUp: 'recorded',
    does: 'It goes on with them, in the order in which they came and at the rate of the warehouse.',
    help: 'In a burst they wait for that rate. Otherwise look at the load of the workers.',
    runbook: 'nothing-flows',
  },
  'dockline-away': {
    title: 'Dockline was away',
    isUrgent: false,
    isEvent: true,
    does: 'It catches up by itself. Webhooks of that time come again from the warehouse, or by reconciliation.',
    help: 'Nothing is to be done, unless it happens again.',
    runbook: 'a-process-is-down',
  },
  unjudged: {
    title: 'Something cannot be judged',
    isUrgent: true,
    does: 'It looks again every few seconds.',
    help: 'The log has the error. Until it can be judged, nobody knows whether it is well.',
    runbook: 'where-to-look-first',
  },
  'store-away': {
    title: 'The database does not answer',
    isUrgent: true,
    does: 'It answers 503 to webhooks, so that they come again, and goes on once the database answers.',
    help: 'Start the database, or mend the way to it.',
    runbook: 'a-process-is-down',
  },
} as const satisfies Readonly<Record<string, ConditionFacts>>;

export type ConditionName = keyof typeof conditions;

export const conditionNames = Object.keys(conditions) as [ConditionName, ...ConditionName[]];

/** Returns the facts about a condition. */
export const factsOf = (name: ConditionName): ConditionFacts => conditions[name];
