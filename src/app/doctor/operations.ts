import { words } from '../../base/text.ts';
import { type PathName, resultsOf, roleOf } from '../../domain/catalogue/operation.ts';
import {
  collectionOf,
  kindOf,
  retrievalOf,
  type SweptKind,
  subjectKinds,
  sweptKinds,
} from '../../domain/catalogue/subject.ts';
import { DocklineError, type FailureCode, messageOf } from '../../domain/errors.ts';
import { kinds } from '../../domain/kinds/kinds.ts';
import type { RetrievedSubject } from '../../warehouse/gets.ts';
import type { createWarehouse } from '../../warehouse/warehouse.ts';
import { type Attempt, type Finding, failed, ok, type Reporter, warning } from './check.ts';

function lossOf(operation: PathName): string {
  const { several, part } = resultsOf(operation);
  if (part) return `announcements come without the ${part}`;
  const listed = sweptKinds.find((kind) => kinds[kind].listing.operation === operation);
  if (listed)
    return `reconciliation cannot compare ${words(collectionOf[listed])}, and this check knows no ${words(listed)} to ask for`;
  const isShown = subjectKinds.some((kind) => retrievalOf[kind] === operation && kindOf(kind).isShown);
  return isShown
    ? `${several} is announced as its webhooks report it`
    : `${several} cannot be announced with their record`;
}

export interface CheckContext {
  readonly reporter: Reporter;
  readonly client: ReturnType<typeof createWarehouse>;
  readonly tenant: string;
}

export function tryOperation<T>(
  { reporter }: Pick<CheckContext, 'reporter'>,
  operation: PathName,
  tried: string,
  get: (signal: AbortSignal) => Promise<Attempt<T>>,
): Promise<T | undefined> {
  return reporter.check(roleOf(operation), tried, (signal) =>
    get(signal).catch((error) => explainRefusal(operation, error)),
  );
}

/** Ahead of the clocks of every time zone. */
const AHEAD_MS = 3 * 86_400_000;

/** As reconciliation does, so that the filter is tried too. Returns the row's id. */
export function findFirst({ reporter, client }: CheckContext, kind: SweptKind): Promise<string | undefined> {
  return tryOperation(
    { reporter },
    kinds[kind].listing.operation,
    "the first row, with reconciliation's filter",
    async (signal) => {
      const query = { kind, page: 1, pageSize: 1 };
      const { rows } = await client.list({ ...query, since: 0 }, signal);
      // Nothing has changed after that time: any row shows that the filter is ignored.
      const { limitation } = await client.list({ ...query, since: Date.now() + AHEAD_MS }, signal);
      const [first] = rows;
      const found = first ? `${words(kind)} ${first.id}` : 'there is none yet';
      if (limitation === undefined) return ok(found, first?.id);
      return { ...warning(found, limitation), value: first?.id };
    },
  );
}

/** Undefined if the list was empty. */
export async function getListed(
  { reporter, client, tenant }: CheckContext,
  kind: SweptKind,
  id: string | undefined,
): Promise<RetrievedSubject | undefined> {
  if (id === undefined) return void reporter.skip(roleOf(retrievalOf[kind]), words(kind), `no ${words(kind)} is known`);
  return tryOperation({ reporter }, retrievalOf[kind], `${words(kind)} ${id}`, async (signal) =>
    ok('was answered', await client.getSubject({ tenant, kind, id }, signal)),
  );
}

/** As records are that wait together. */
export async function examinePage({ reporter, client }: CheckContext, kind: SweptKind, id = ''): Promise<void> {
  await tryOperation(
    { reporter },
    kinds[kind].listing.operation,
    `${words(kind)} ${id} by its id, with the sections of its own GET`,
    async (signal) => {
      const limitation = await client.examinePage(kind, id, signal);
      if (limitation === undefined) return ok('shows all that its own GET shows');
      return warning(
        limitation,
        `Each ${words(kind)} then takes a GET of its own, which uses up the rate sooner when many move at once.`,
      );
    },
  );
}

/** Without it a warehouse cannot be followed. */
const essential: ReadonlySet<PathName> = new Set(['getOrder']);

const general: { readonly [Code in FailureCode]?: string } = {
  ERR_WAREHOUSE_UNREACHABLE:
    'Compare WAREHOUSE_BASE_URL with what the warehouse gave you, and check that this machine may connect to it (DNS, firewall; HTTPS_PROXY if only a proxy may).',
  ERR_WAREHOUSE_TOKEN:
    'The API does not accept the token that the token server issued: WAREHOUSE_BASE_URL and WAREHOUSE_AUTH_URL may belong to different systems.',
};

function explainRefusal(operation: PathName, error: unknown): Finding {
  const found = messageOf(error);
  const code = error instanceof DocklineError ? error.code : undefined;
  const advice = code && general[code];
  if (advice) return failed(found, advice);
  const without = `Without it, ${lossOf(operation)}.`;
  return (essential.has(operation) ? failed : warning)(found, `${adviceFor(operation, code)} ${without}`);
}

function adviceFor(operation: PathName, code: FailureCode | undefined): string {
  const role = roleOf(operation);
  switch (code) {
    case 'ERR_WAREHOUSE_FORBIDDEN':
      return `Ask the warehouse for a role that allows "${role}".`;
    case 'ERR_WAREHOUSE_NOT_FOUND':
      return `The path may be another one in this warehouse: ask for that of "${role}", and set it in WAREHOUSE_PATHS (${operation}=…).`;
    case 'ERR_WAREHOUSE_RATE_LIMITED':
      return 'Something else uses up the rate of this credential: lower WAREHOUSE_CALLS_PER_SECOND, or ask for more.';
    case 'ERR_WAREHOUSE_REFUSED':
    case 'ERR_WAREHOUSE_UNFILTERED':
      return `The warehouse does not take the query of "${role}".`;
    case 'ERR_WAREHOUSE_UNREADABLE':
      return `The answer does not prove to be what "${role}" was asked for. If a record has its own id under another name in this warehouse, set that in WAREHOUSE_PROPERTIES.`;
    default:
      return `Try again; if it stays so, ask the warehouse about "${role}".`;
  }
}
