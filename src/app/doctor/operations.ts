import { words } from '../../base/text.ts';
import { type PathName, resultsOf, roleOf } from '../../domain/catalogue/operation.ts';
import { collectionOf, kindOf, retrievalOf, subjectKinds, sweptKinds } from '../../domain/catalogue/subject.ts';
import { DocklineError, type FailureCode, messageOf } from '../../domain/errors.ts';
import { kinds } from '../../domain/kinds/kinds.ts';
import { type Attempt, type Finding, failed, type Reporter, warning } from './check.ts';

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

export const tryOperation = <T>(
  reporter: Reporter,
  operation: PathName,
  tried: string,
  get: (signal: AbortSignal) => Promise<Attempt<T>>,
): Promise<T | undefined> =>
  reporter.check(roleOf(operation), tried, (signal) => get(signal).catch((error) => explainRefusal(operation, error)));

/** Without it a warehouse cannot be followed at all. */
const ESSENTIAL: PathName = 'getOrder';

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
  return (operation === ESSENTIAL ? failed : warning)(found, `${adviceFor(operation, code)} ${without}`);
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
