/** A line of the product, broken by hand, and the tests that are expected to notice. */
export interface Mutant {
  /** Effect of the broken line. */
  readonly breaks: string;
  readonly file: string;
  /** Text that the file has once. */
  readonly from: string;
  readonly to: string;
  /** Smallest set of tests, as `vitest run` takes them. */
  readonly tests: string;
}

const mutant = (file: string, tests: string, breaks: string, from: string, to: string): Mutant => ({
  breaks,
  file,
  from,
  to,
  tests,
});

const lifecycle = 'test/domain/lifecycle';
const deadlines = 'test/domain/deadlines';
const ingress = 'test/ingress/verification';
const store = 'test/store';
const activities = 'test/activities';

/** Lines whose failure would cost somebody an event, its order, its truth or its secrecy. */
export const mutants: readonly Mutant[] = [
  mutant(
    'src/domain/lifecycle/draft.ts',
    lifecycle,
    'ids of one millisecond are compared as texts',
    'if (a.eventId.length !== b.eventId.length) return a.eventId.length - b.eventId.length;',
    '',
  ),
  mutant(
    'src/domain/lifecycle/draft.ts',
    lifecycle,
    'an older event overtakes a newer one',
    '!current || compareKeys(keyOf(event), current) > 0;',
    '!current || compareKeys(keyOf(event), current) < 0;',
  ),
  mutant(
    'src/domain/lifecycle/judge.ts',
    lifecycle,
    'an event is announced again that a GET had shown',
    "if (isAwaited && !isOther) return 'awaited';",
    '',
  ),
  mutant(
    'src/domain/lifecycle/judge.ts',
    lifecycle,
    'what an earlier GET showed is ended by an older event',
    "return isOther && isFromGet && proves.includes(current.milestone) ? 'overtaken' : 'newest';",
    "return 'newest';",
  ),
  mutant(
    'src/store/tables/outgoing.ts',
    `${store}/recording.test.ts ${store}/tables/outbox.test.ts ${activities}`,
    'announcements go out in reverse',
    ".orderBy('revision')",
    ".orderBy('revision', 'desc')",
  ),
  mutant(
    'src/store/tables/entry-writer.ts',
    `${store}/tables/inbox-rows.test.ts`,
    'a repeated delivery replaces one that was accepted',
    ".where('inbox.quarantine_reason', 'is not', null)",
    '',
  ),
  mutant(
    'src/store/tables/leases.ts',
    `${store}/tables/outbox.test.ts`,
    'a lease of a clock that was ahead keeps others away',
    ' or leased_at > ${clock()})`;',
    ')`;',
  ),
  mutant(
    'src/store/tables/outbox.ts',
    `${store}/tables/outbox.test.ts`,
    'a failure ends the lease of another process',
    'leased_until: sql`nullif(leased_until, ${lease.leasedUntil})`,',
    'leased_until: null,',
  ),
  mutant(
    'activities/send.ts',
    activities,
    'a lease is shorter than its exchange',
    'announceTimeoutMs + LEASE_MARGIN_MS;',
    'announceTimeoutMs - LEASE_MARGIN_MS;',
  ),
  mutant(
    'activities/send.ts',
    activities,
    'a dead letter comes twice as late',
    'const giveUpAt = triedSince + deps.announceForMs;',
    'const giveUpAt = triedSince + 2 * deps.announceForMs;',
  ),
  mutant(
    'activities/failure.ts',
    activities,
    'Retry-After is ignored',
    'withJitter(Math.max(isSlow ? retry.slowMs : backoffMs, askedWait(error, retry)), retry.random)',
    'withJitter(isSlow ? retry.slowMs : backoffMs, retry.random)',
  ),
  mutant(
    'activities/failure.ts',
    activities,
    'an error that is never to be retried is retried',
    "nonRetryable: failures[error.code] === 'never',",
    'nonRetryable: false,',
  ),
  mutant(
    'activities/routing.ts',
    activities,
    'earlier announcements go again to who had them',
    '(name) => !before.includes(name),',
    '() => true,',
  ),
  mutant(
    'activities/record.ts',
    activities,
    'any recording begins the stage anew',
    'stageSince: hasMoved ? now : known.stageSince,',
    'stageSince: now,',
  ),
  mutant(
    'activities/record.ts',
    activities,
    'an outdated retrieval is taken',
    'const retrieved = isOutdated(input, recording) ? undefined : input.retrieved;',
    'const retrieved = input.retrieved;',
  ),
  mutant(
    'src/ingress/verification/standard-webhooks.ts',
    ingress,
    'timestamps of the future verify',
    'if (Math.abs(now - Number(timestamp) * 1000) > toleranceMs) return undefined;',
    'if (now - Number(timestamp) * 1000 > toleranceMs) return undefined;',
  ),
  mutant(
    'src/ingress/verification/rsa-sha256.ts',
    ingress,
    'base64 that is not canonical verifies',
    "return text && signature.toString('base64') === text ? signature : undefined;",
    'return text ? signature : undefined;',
  ),
  mutant(
    'src/ingress/verification/rsa-sha256.ts',
    ingress,
    'the key is not looked up again when a signature fails',
    'const isLatest = isRenewed || (await source.lookUp());',
    'const isLatest = true;',
  ),
  mutant(
    'src/domain/deadlines/calendar.ts',
    deadlines,
    'a clock time that comes twice is the first of the two',
    "{ disambiguation: 'later' }",
    "{ disambiguation: 'earlier' }",
  ),
  mutant(
    'src/domain/deadlines/deadline.ts',
    deadlines,
    'the very cut-off counts as before it',
    'beginningOf(from, calendar) < instantAt(calendar, day, cutOff)',
    'beginningOf(from, calendar) <= instantAt(calendar, day, cutOff)',
  ),
  mutant(
    'src/domain/deadlines/deadline.ts',
    deadlines,
    'a day that is not worked counts as one',
    'addWorkingDays(calendar, day, cutOff === undefined ? 0 : 1)',
    'day',
  ),
  mutant(
    'src/inbox/dispatcher.ts',
    'test/inbox/dispatcher.test.ts',
    'events that Temporal refuses for good are tried for ever',
    'if (attempts > 1) return await quarantine(',
    'if (attempts > 1_000_000) return await quarantine(',
  ),
  mutant(
    'src/inbox/dispatcher.ts',
    'test/inbox/dispatcher.test.ts',
    'after an outage all calls probe at once',
    'const lanes = (failures > 0 ? 1 : concurrency) - busy.size;',
    'const lanes = concurrency - busy.size;',
  ),
  mutant(
    'src/store/tables/due.ts',
    `${store}/tables/due.test.ts`,
    'a subject is woken again before it has recorded',
    "set(({ eb }) => ({ step: 'woken', at: time, attempts: eb('attempts', '+', 1) }))",
    "set(({ eb }) => ({ step: 'wake', at: time, attempts: eb('attempts', '+', 1) }))",
  ),
  mutant(
    'src/store/purge.ts',
    `${store}/retention.test.ts`,
    'bodies are purged although they were just acknowledged',
    'and (sent_at is null or sent_at >= ${before}))',
    'and sent_at is null)',
  ),
  mutant(
    'workflows/stage-watch.ts',
    'test/workflows/stage-watch.test.ts',
    "a customer's own limit of a stage is ignored",
    'return settings.stageLimitsMs[`${snapshot?.customerId}:${stage}`] ?? settings.stageLimitsMs[stage];',
    'return settings.stageLimitsMs[stage];',
  ),
  mutant(
    'src/observability/otlp/exporter.ts',
    'test/observability',
    'a collector that hangs holds up the end of a process',
    'await Promise.race([provider.shutdown().catch(() => undefined), waited.promise]);',
    'await provider.shutdown().catch(() => undefined);',
  ),
  mutant(
    'src/announcements/guard.ts',
    'test/announcements/guard.test.ts',
    'addresses of carrier-grade NAT are taken for public ones',
    "  '100.64.0.0/10',\n",
    '',
  ),
  mutant(
    'src/ingress/verification/public-key-source.ts',
    ingress,
    'the key before a rotation stays good for ever',
    'previous && now() < previous.until ? [newest.key, previous.key]',
    'previous ? [newest.key, previous.key]',
  ),
  mutant(
    'src/warehouse/client/token.ts',
    'test/warehouse/client/token.test.ts',
    'a token is used until the warehouse refuses it',
    'if (held && now() < held.renewAt) return held.value;',
    'if (held) return held.value;',
  ),
  mutant(
    'src/inbox/patrol.ts',
    'test/inbox/patrol.test.ts test/inbox/recovery.property.test.ts',
    'a workflow that sleeps with events to record counts as busy',
    "if (condition === 'busy') return false;",
    "if (condition === 'busy' || condition === 'asleep') return false;",
  ),
  mutant(
    'src/inbox/patrol.ts',
    'test/inbox/patrol.test.ts',
    'a workflow whose task fails again and again is left alone',
    "if (condition === 'wedged') await deps.end(subject);",
    '',
  ),
  mutant(
    'src/store/erasures.ts',
    `${store}/erasures.test.ts`,
    'an erasure goes ahead while events wait',
    'if (found.waiting > 0 || (found.unsent > 0 && !unsent))',
    'if (found.unsent > 0 && !unsent)',
  ),
];
