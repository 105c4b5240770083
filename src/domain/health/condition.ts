interface ConditionFacts {
  readonly title: string;
  readonly holdsWhen: string;
  /** People are told at any hour. */
  readonly isUrgent?: true;
  /** Its place is one subject, or what is sent of it. */
  readonly isOfOne?: true;
  /** Conditions of one place that may change from one to another. */
  readonly family?: 'warehouse' | 'destination' | 'temporal';
  /** Done to the things that waited, once it is over: `retrieved`. */
  readonly caughtUp?: string;
  readonly does: string;
  readonly help: string;
  readonly runbook: string;
}

const RETRIES = 'Dockline keeps retrying; everything that waits continues in order.';

/** By the names of the configuration. How each is found is in `src/health/conditions`. */
export const conditions = {
  'warehouse-failing': {
    title: 'A warehouse fails',
    holdsWhen:
      'no GET of a warehouse has succeeded for a minute, and more than one record waits for it, or there is no answer, or one that says that the warehouse is down (503). The title has the answer',
    isUrgent: true,
    family: 'warehouse',
    caughtUp: 'retrieved',
    does: RETRIES,
    help: 'If it lasts, ask the warehouse.',
    runbook: 'the-warehouse-is-down',
  },
  'credential-refused': {
    title: 'A warehouse refuses the credential',
    holdsWhen: 'the same, and the answer is that the credential is wrong',
    isUrgent: true,
    family: 'warehouse',
    caughtUp: 'retrieved',
    does: 'Dockline retries every few minutes.',
    help: 'Compare the credential with what the warehouse gave you; dockline doctor says what it refuses.',
    runbook: 'the-warehouse-refuses-the-credential',
  },
  'warehouse-limiting': {
    title: 'A warehouse limits GETs',
    holdsWhen: 'the same, and the answer is 429',
    family: 'warehouse',
    caughtUp: 'retrieved',
    does: 'Dockline waits as long as the warehouse asks, then retries.',
    help: 'Lower WAREHOUSE_CALLS_PER_SECOND, or ask the warehouse for a higher rate.',
    runbook: 'the-warehouse-is-down',
  },
  'warehouse-partly-failing': {
    title: 'A warehouse fails for some GETs',
    holdsWhen:
      "two records or more fail for one reason of the warehouse's (503, no answer) while others succeed, or five for any",
    isUrgent: true,
    caughtUp: 'retrieved',
    does: RETRIES,
    help: 'Other GETs succeed. If it lasts, ask the warehouse about these records.',
    runbook: 'the-warehouse-is-down',
  },
  'role-missing': {
    title: 'The credential lacks a role',
    holdsWhen: 'an operation is answered 403, and has not succeeded since, even if nothing waits for it any more',
    does: 'Dockline announces events without what it may not read, and keeps checking for the role.',
    help: 'Ask the warehouse for the role.',
    runbook: 'a-role-is-missing',
  },
  'record-failing': {
    title: 'The warehouse cannot return a record',
    holdsWhen: 'one record fails for a minute while others succeed',
    isOfOne: true,
    does: RETRIES,
    help: 'Other records arrive. Ask the warehouse about this one.',
    runbook: 'an-order-is-stuck',
  },
  'destination-failing': {
    title: 'A destination fails',
    holdsWhen: 'every attempt to send to a destination has failed for a minute; what was paused by hand is no incident',
    isUrgent: true,
    family: 'destination',
    caughtUp: 'delivered',
    does: 'Announcements wait, and are sent in order once it answers.',
    help: 'Fix the receiver; its page shows its last answers.',
    runbook: 'a-destination-was-down-for-a-day',
  },
  'destination-partly-failing': {
    title: 'A destination rejects some announcements',
    holdsWhen:
      'a destination answers 5xx, or nothing, to two announcements or more while it accepts others, or rejects five for any reason; what failed in an outage and was not tried since only waits',
    isUrgent: true,
    caughtUp: 'delivered',
    does: 'Dockline retries them, and sends the others.',
    help: 'Read the answers on its page; it accepts other announcements.',
    runbook: 'a-destination-was-down-for-a-day',
  },
  'announcement-failing': {
    title: 'A destination rejects an announcement',
    holdsWhen: 'a destination has rejected one announcement for a minute while it accepts others',
    isOfOne: true,
    does: 'Dockline retries it until the retry limit, and sends the others.',
    help: 'Read the answer; the receiver accepts other announcements.',
    runbook: 'a-destination-was-down-for-a-day',
  },
  'destination-stopped': {
    title: 'A destination was stopped',
    holdsWhen: 'Dockline has stopped sending to a destination',
    isUrgent: true,
    family: 'destination',
    caughtUp: 'delivered',
    does: 'Nothing is sent to it; its announcements wait.',
    help: 'Fix the receiver, then press Resume: what waits is sent in order.',
    runbook: 'a-destination-was-stopped',
  },
  quarantine: {
    title: 'Webhooks are in quarantine',
    holdsWhen: 'webhooks are in quarantine; one incident for each kind of reason, and of unknown names for each family',
    does: 'Dockline keeps them until somebody acts.',
    help: 'Read the reasons. Accept unknown names there, and compare WAREHOUSE_TENANT with the tplId of the webhooks; those that are then understood are reprocessed.',
    runbook: 'unknown-names',
  },
  'dead-letters': {
    title: 'Announcements were given up',
    holdsWhen: 'announcements were given up',
    does: 'Dockline keeps them, and resends none automatically.',
    help: 'Once the receiver works again, press Resend.',
    runbook: 'a-destination-was-down-for-a-day',
  },
  stalled: {
    title: 'Orders have stalled',
    holdsWhen: 'orders are longer in their stage than `ORDER_STAGE_LIMITS` allows',
    does: 'Dockline continues as soon as the warehouse reports a change.',
    help: 'Ask the warehouse what they are waiting for.',
    runbook: 'orders-are-late-or-stalled',
  },
  overdue: {
    title: 'Orders are overdue',
    holdsWhen: 'open orders or receipts are past their [deadline](deadlines.md)',
    does: 'Dockline continues as soon as the warehouse reports a change.',
    help: 'The list starts with the ones most overdue.',
    runbook: 'orders-are-late-or-stalled',
  },
  'at-risk': {
    title: 'Orders are at risk of being late',
    holdsWhen:
      'open orders will probably [miss their truck](deadlines.md#will-it-make-the-truck), or are due soon where too little is known',
    does: 'Dockline forecasts again every minute.',
    help: 'The list starts with the ones due soonest, and says when each is expected.',
    runbook: 'orders-are-late-or-stalled',
  },
  'webhooks-stopped': {
    title: 'Webhooks have stopped coming',
    holdsWhen:
      'no webhook of an account has come for an hour, in an hour in which something came on each of the last seven days',
    isUrgent: true,
    does: 'Reconciliation finds what was missed, if it is scheduled.',
    help: 'Compare the subscription in the warehouse with docs/connect.md, and ask the warehouse whether it sends.',
    runbook: 'nothing-flows',
  },
  'reconciliation-failing': {
    title: 'Reconciliation fails',
    holdsWhen: 'no reconciliation of a warehouse has succeeded for three times `RECONCILE_EVERY_MS`',
    does: 'Dockline tries again at the next interval.',
    help: 'Until then, lost webhooks go unnoticed. dockline reconcile shows the error.',
    runbook: 'reconciliation-fails-or-finds-differences',
  },
  'reconciliation-differences': {
    title: 'Reconciliation found differences',
    holdsWhen:
      'the last one found what no webhook had reported; a subject of which a webhook still waits does not count',
    does: 'Dockline has already corrected them.',
    help: 'If it happens again, the warehouse is losing webhooks: ask it why.',
    runbook: 'reconciliation-fails-or-finds-differences',
  },
  'listing-limited': {
    title: 'A warehouse does not list records as it shows each',
    holdsWhen: 'a warehouse does not list several records at once as it shows each; says what is done instead',
    does: 'Dockline asks for each record by itself, which costs more GETs.',
    help: 'If the warehouse has other names for these properties, set them in WAREHOUSE_PROPERTIES. Otherwise ask the warehouse.',
    runbook: 'reconciliation-fails-or-finds-differences',
  },
  'key-unavailable': {
    title: 'A key cannot be fetched',
    holdsWhen: 'the key that verifies webhooks has not been fetched for a minute in which the warehouse answers',
    isUrgent: true,
    does: 'Webhooks that cannot be verified are answered 503, so the warehouse sends them again.',
    help: 'Compare the address of the key with what the warehouse publishes.',
    runbook: 'the-warehouse-changed-its-key',
  },
  'disk-nearly-full': {
    title: 'The disk is nearly full',
    holdsWhen: 'less than 1 GiB is free for SQLite. PostgreSQL says nothing of its disk: watch that there',
    isUrgent: true,
    does: 'Dockline runs until the disk is full.',
    help: 'Free or add space: a full disk stops webhooks from being accepted.',
    runbook: 'the-disk-is-full',
  },
  'temporal-away': {
    title: 'Temporal does not answer',
    holdsWhen: 'Temporal does not answer; counts the webhooks that wait',
    isUrgent: true,
    family: 'temporal',
    caughtUp: 'recorded',
    does: 'Webhooks are accepted and wait; processing resumes automatically once it is back.',
    help: 'Start Temporal, or restore the connection to it.',
    runbook: 'nothing-flows',
  },
  'queue-unpolled': {
    title: 'No worker is running',
    holdsWhen:
      'no worker has polled a task queue for a minute and a half, counted from the start and from when Temporal answers again',
    isUrgent: true,
    family: 'temporal',
    caughtUp: 'recorded',
    does: 'Webhooks are accepted and wait; processing resumes automatically once a worker runs.',
    help: 'Start a process with the role worker that has the same configuration.',
    runbook: 'nothing-flows',
  },
  'search-attributes-missing': {
    title: 'Search attributes are missing',
    holdsWhen:
      "Temporal's namespace has no room for search attributes of Dockline, or does not let it register them; names them",
    does: 'Orders are processed; workflows are not found by these attributes in the Temporal UI, which the board does not need.',
    help: 'Remove attributes that nobody uses, have an administrator register these, use a namespace of its own, or set TEMPORAL_SEARCH_ATTRIBUTES to attention or none.',
    runbook: 'nothing-flows',
  },
  stuck: {
    title: 'Webhooks wait for a long time',
    holdsWhen: 'webhooks wait for five minutes though nothing fails',
    caughtUp: 'recorded',
    does: 'Dockline works through them in order, at the rate the warehouse allows.',
    help: 'In a burst they wait for that rate. Otherwise check the load of the workers.',
    runbook: 'nothing-flows',
  },
  unjudged: {
    title: 'Something cannot be checked',
    holdsWhen: 'a condition cannot be checked',
    isUrgent: true,
    does: 'Dockline checks again every few seconds.',
    help: 'The log has the error. Until then, its state is unknown.',
    runbook: 'where-to-look-first',
  },
  'store-away': {
    title: 'The database does not answer',
    holdsWhen:
      'the database does not answer. It is shown and measured, but nobody is notified until it answers again, since notifications are recorded there',
    isUrgent: true,
    does: 'Webhooks are answered 503, so the warehouse sends them again; processing resumes once the database answers.',
    help: 'Start the database, or restore the connection to it.',
    runbook: 'a-process-is-down',
  },
} as const satisfies Readonly<Record<string, ConditionFacts>>;

export type ConditionName = keyof typeof conditions;

export const conditionNames = Object.keys(conditions) as [ConditionName, ...ConditionName[]];

export const factsOf = (name: ConditionName): ConditionFacts => conditions[name];
