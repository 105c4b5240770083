import type { SweptKind } from '../../domain/catalogue/subject.ts';
import { DocklineError, type FailureCode, messageOf } from '../../domain/errors.ts';
import type { RetrievedSubject } from '../../warehouse/gets.ts';
import type { createWarehouse } from '../../warehouse/warehouse.ts';
import { type Attempt, type Finding, failed, ok, type Reporter, warning } from './check.ts';

/** Operations of the warehouse by the specification's names, each with what is missing without it. */
const operations = {
  'Get Orders': 'reconciliation cannot compare orders, and this check knows no order to ask for',
  'Get Order': 'orders cannot be announced with their record',
  'Get Orders Item': 'announcements of single lines come without the line',
  'Get Orders Picklist': 'announcements come without the pick list',
  'Get User': 'announcements come without the user who did it',
  'Get Customer': 'announcements come without the customer',
  'Get Receivers': 'reconciliation cannot compare receipts, and this check knows no receipt to ask for',
  'Get Receiver': 'receipts cannot be announced with their record',
  'Get Adjustments': 'this check knows no adjustment to ask for',
  'Get Adjustment': 'adjustments cannot be announced with their record',
  'Get Assemblies': 'this check knows no assembly to ask for',
  'Get Assembly': 'assemblies cannot be announced with their record',
  'Get Item': 'items cannot be announced with their record',
  'Get Stock Summaries': 'stock is announced as its webhooks report it',
} as const;

export type OperationName = keyof typeof operations;

/** Warehouse under examination. */
export interface CheckContext {
  readonly reporter: Reporter;
  readonly client: ReturnType<typeof createWarehouse>;
  readonly tenant: string;
}

/** Makes a GET of an operation; a failure is explained in words that name the operation. */
export function tryOperation<T>(
  { reporter }: Pick<CheckContext, 'reporter'>,
  name: OperationName,
  tried: string,
  get: (signal: AbortSignal) => Promise<Attempt<T>>,
): Promise<T | undefined> {
  return reporter.check(name, tried, (signal) => get(signal).catch((error) => explainRefusal(name, error)));
}

/** Time ahead of the clocks of every zone, in milliseconds. */
const AHEAD_MS = 3 * 86_400_000;

/** Lists one row as reconciliation lists, so that its filter is tried too. Returns the row's id. */
export function findFirst(
  { reporter, client }: CheckContext,
  name: OperationName,
  kind: SweptKind,
): Promise<string | undefined> {
  return tryOperation({ reporter }, name, "the first row, with reconciliation's filter", async (signal) => {
    const query = { kind, page: 1, pageSize: 1 };
    const { rows } = await client.list({ ...query, since: 0 }, signal);
    // Nothing has changed since then, so that every row shows that the filter is ignored.
    const { limitation } = await client.list({ ...query, since: Date.now() + AHEAD_MS }, signal);
    const [first] = rows;
    const found = first ? `${kind} ${first.id}` : 'there is none yet';
    if (limitation === undefined) return ok(found, first?.id);
    return { ...warning(found, limitation), value: first?.id };
  });
}

/** Gets the subject that a list showed; there is none if the list is empty. */
export async function getListed(
  { reporter, client, tenant }: CheckContext,
  name: OperationName,
  kind: SweptKind,
  id: string | undefined,
): Promise<RetrievedSubject | undefined> {
  if (id === undefined) return void reporter.skip(name, kind, `no ${kind} is known`);
  return tryOperation({ reporter }, name, `${kind} ${id}`, async (signal) =>
    ok('was answered', await client.getSubject({ tenant, kind, id }, signal)),
  );
}

/** Lists a record by its id, as those are listed that wait for their turns together. */
export async function examinePage(
  { reporter, client }: CheckContext,
  name: OperationName,
  kind: SweptKind,
  id = '',
): Promise<void> {
  await tryOperation(
    { reporter },
    name,
    `${kind} ${id} by its id, with the sections of its own GET`,
    async (signal) => {
      const limitation = await client.examinePage(kind, id, signal);
      if (limitation === undefined) return ok('shows all that its own GET shows');
      return warning(
        limitation,
        `Each ${kind} then takes a GET of its own, which uses up the rate sooner when many move at once.`,
      );
    },
  );
}

/** Without these a warehouse cannot be followed at all. */
const essential: ReadonlySet<OperationName> = new Set(['Get Order']);

/** Failures that concern every operation alike. */
const general: { readonly [Code in FailureCode]?: string } = {
  ERR_WAREHOUSE_UNREACHABLE:
    'Compare WAREHOUSE_BASE_URL with what the warehouse gave you, and check that this machine may connect to it (DNS, firewall; HTTPS_PROXY if only a proxy may).',
  ERR_WAREHOUSE_TOKEN:
    'The API does not accept the token that the token server issued: WAREHOUSE_BASE_URL and WAREHOUSE_AUTH_URL may belong to different systems.',
};

/** Says why an operation failed, and what to do. */
function explainRefusal(operation: OperationName, error: unknown): Finding {
  const found = messageOf(error);
  const code = error instanceof DocklineError ? error.code : undefined;
  const advice = code && general[code];
  if (advice) return failed(found, advice);
  const without = `Without it, ${operations[operation]}.`;
  return (essential.has(operation) ? failed : warning)(found, `${adviceFor(operation, code)} ${without}`);
}

/** Returns the name of an operation's path among the settings. */
const pathName = (operation: OperationName): string => operation.replace('Get', 'get').replaceAll(' ', '');

function adviceFor(operation: OperationName, code: FailureCode | undefined): string {
  switch (code) {
    case 'ERR_WAREHOUSE_FORBIDDEN':
      return `Ask the warehouse for a role that allows "${operation}".`;
    case 'ERR_WAREHOUSE_NOT_FOUND':
      return `The path may be another one in this warehouse: ask for that of "${operation}", and set it in WAREHOUSE_PATHS (${pathName(operation)}=…).`;
    case 'ERR_WAREHOUSE_RATE_LIMITED':
      return 'Something else uses up the rate of this credential: lower WAREHOUSE_CALLS_PER_SECOND, or ask for more.';
    case 'ERR_WAREHOUSE_REFUSED':
    case 'ERR_WAREHOUSE_UNFILTERED':
      return `The warehouse does not take the query of "${operation}".`;
    case 'ERR_WAREHOUSE_UNREADABLE':
      return `The answer does not prove to be what "${operation}" was asked for. If a record has its own id under another name in this warehouse, set that in WAREHOUSE_PROPERTIES.`;
    default:
      return `Try again; if it stays so, ask the warehouse about "${operation}".`;
  }
}
