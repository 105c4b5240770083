/** Facts about a condition that people hear of. */
interface ConditionFacts {
  /** Name on pages, in plain words. */
  readonly title: string;
  /** Quiet hours do not hold it back. */
  readonly isUrgent: boolean;
  /** It is over as soon as it is noticed: it opens at once, and nobody is told that it has ended. */
  readonly isEvent?: true;
  /**
   * Says what is wrong, with the thing that it is about, a number such as `3` or `10,000 or more`, and the fault in parentheses after a space,
   * such as ` (GET /orders/7 answered 503)`, or nothing if it is unknown.
   */
  say(about: string, count: string, fault: string): string;
  /** Says what to do about it. */
  readonly advice: string;
}

/** Conditions that people hear of, by the names that the configuration has. How each is found is in `src/alerts/conditions`. */
export const conditions = {
  'destination-failing': {
    title: 'A destination fails',
    isUrgent: true,
    say: (about, _count, fault) => `Destination ${about} fails${fault}`,
    advice: 'What it has not accepted waits and is sent once it answers. Its page has its last answers.',
  },
  'destination-stopped': {
    title: 'A destination was stopped',
    isUrgent: true,
    say: (about) => `Dockline has stopped sending to destination ${about}`,
    advice: 'Mend the destination, then press Resume on its page: what waits is sent in order.',
  },
  'warehouse-failing': {
    title: 'The warehouse fails',
    isUrgent: true,
    say: (about, count, fault) => `${about} fails${fault}; orders and records that wait: ${count}`,
    advice: 'Dockline retries by itself. If it goes on, ask the warehouse.',
  },
  'credential-refused': {
    title: 'The warehouse refuses the credential',
    isUrgent: true,
    say: (about, count) => `${about} refuses the credential; orders and records that wait: ${count}`,
    advice: 'Compare the credential with what the warehouse gave you; dockline doctor names the setting.',
  },
  quarantine: {
    title: 'Webhooks are in quarantine',
    isUrgent: false,
    say: (_about, count) => `Webhooks in quarantine: ${count}`,
    advice: 'Read the reasons. What is understood afterwards can be replayed there.',
  },
  'dead-letters': {
    title: 'Announcements were given up',
    isUrgent: false,
    say: (_about, count) => `Announcements that were given up (dead letters): ${count}`,
    advice: 'Nobody sends them again by itself: once the destination is mended, press Resend.',
  },
  stalled: {
    title: 'Orders have stalled',
    isUrgent: false,
    say: (about, count) => `Orders that have been in their stage for too long, of ${about}: ${count}`,
    advice: 'Ask the warehouse what they wait for.',
  },
  overdue: {
    title: 'Orders are overdue',
    isUrgent: false,
    say: (about, count) => `Overdue orders and records of ${about}: ${count}`,
    advice: 'The list begins with those that were due first.',
  },
  'at-risk': {
    title: 'Orders are at risk of being late',
    isUrgent: false,
    say: (about, count) => `Orders and records of ${about} that are due soon: ${count}`,
    advice: 'The list begins with those that are due first.',
  },
  'reconciliation-failing': {
    title: 'Reconciliation fails',
    isUrgent: false,
    say: (about) => `Reconciliation of ${about} does not succeed`,
    advice: 'Webhooks that were lost go unnoticed meanwhile. dockline reconcile shows the error.',
  },
  'reconciliation-differences': {
    title: 'Reconciliation found differences',
    isUrgent: false,
    say: (about, count) => `Reconciliation of ${about} found what no webhook had reported: ${count}`,
    advice: 'It is mended already. If it happens again, the warehouse loses webhooks: ask it why.',
  },
  'disk-nearly-full': {
    title: 'The disk is nearly full',
    isUrgent: true,
    say: () => 'The disk of the store is nearly full',
    advice: 'Free or add space: a full disk stops the intake of webhooks.',
  },
  'temporal-away': {
    title: 'Temporal or its workers do not answer',
    isUrgent: true,
    say: (about) => `${about} not answer`,
    advice: 'Webhooks are accepted and wait; everything continues by itself once it is back.',
  },
  'dockline-away': {
    title: 'Dockline was away',
    isUrgent: false,
    isEvent: true,
    say: (about) => `Dockline did not run, or could not reach its store, ${about}`,
    advice: 'It catches up by itself. Webhooks of that time come again from the warehouse, or by reconciliation.',
  },
} as const satisfies Readonly<Record<string, ConditionFacts>>;

/** Name of a condition. */
export type ConditionName = keyof typeof conditions;

/** Names of all conditions. */
export const conditionNames = Object.keys(conditions) as [ConditionName, ...ConditionName[]];

/** Returns the facts about a condition. */
export const factsOf = (name: ConditionName): ConditionFacts => conditions[name];
