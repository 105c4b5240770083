import { type Fact, type Proof, rule, unused } from './fact.ts';

const request = (title: string): Proof => ['warehouse/client/token', `a token request > ${title}`];
const token = (title: string, row?: string): Proof => ['warehouse/client/token', `a token > ${title}`, row];
const server = (title: string, row?: string): Proof => [
  'sandbox/simulator/api/tokens',
  `the token endpoint > ${title}`,
  row,
];

const fieldByField = request('is what the specification says, field by field');
const answered = server('answers 200 with a long bearer token, its lifetime, and null for scope and refresh_token');
const demanded = (row: string) => server('answers 400 in the vendor form to an invalid %s: %o', row);
const dated = (row: string) => token('that expires in $expiresIn s is renewed after $renewedAfterMs ms', row);
const called: Proof = [
  'spec/operations',
  'an operation that is named without its path > %s returns what the warehouse has, in one call',
];
const asked: Proof = ['warehouse/warehouse', 'a GET > asks for each resource at its documented path'];
const needed: Proof = ['sandbox/simulator/api/tokens', 'a token > is required for data'];
const file = (title: string, row?: string): Proof => [
  'config/tenants/file',
  `a bad file of warehouses > ${title}`,
  row,
];
const credential = (title: string): Proof => ['sandbox/simulator/tenant', `a credential > ${title}`];

/** The rules of the sections on tokens, credentials and refusals. */
export const accessRules: readonly Fact[] = [
  rule('1', 'a client acts for one tenant at a time', [
    'e2e/tenants',
    'two tenants behind one warehouse and one credential > have the same ids but share no workflow, token, resource or announcement',
  ]),
  rule(
    '1',
    'the API and the token server have an address each',
    request('goes below the path of the address of the token server'),
  ),
  rule('2.1', 'grant_type is client_credentials', fieldByField, demanded("{ grant_type: 'password' }")),
  rule('2.1', 'user_login names the user who acts', fieldByField, demanded('{ user_login: undefined }')),
  rule(
    '2.1',
    'tpl is a GUID, required with a dynamic credential only',
    request('names the tenant only if one is set'),
    server('requires the GUID of the tenant with a single-tenant dynamic credential'),
    file('has %j reported', "{ credential: 'single-tenant-dynamic' }"),
  ),
  rule('2.2', 'access_token is the bearer token, and long', answered, called),
  rule('2.2', 'token_type is Bearer', answered),
  rule('2.2', 'expires_in is a lifetime in seconds', answered, dated('expiresIn: 1000, renewedAfterMs: 800_000')),
  rule('2.2', 'refresh_token is null and ignored', answered, called),
  rule('2.2', 'scope is null and ignored', answered, called),
  rule(
    '4.1, 5.2',
    'Authorization of a token request: Basic and the Base64 of id, colon, secret',
    fieldByField,
    server('answers 401 to %s', 'a wrong secret'),
  ),
  rule('4.1', 'Content-Type of a token request: application/json; charset=utf-8', fieldByField),
  rule('4.1', 'Accept of a token request: application/json', fieldByField),
  rule('4.1', 'Content-Length of a token request', fieldByField),
  rule('4.1, 5.2', 'a token is granted with HTTP 200', answered),
  rule('4.1', 'a token can be refused', [
    'warehouse/client/token',
    'a refusal of the token server > with $status is $code',
    "{ status: 401, code: 'ERR_WAREHOUSE_UNAUTHENTICATED' }",
  ]),
  rule(
    '4.2, 5.2',
    'Authorization of every GET: Bearer and the token',
    asked,
    request('is one for all callers'),
    needed,
  ),
  rule('4.2', 'Accept of a GET: application/hal+json', asked, [
    'sandbox/simulator/api/api',
    'the documented paths > GET /orders/{id} and GET /order/{id} answer an order in HAL',
  ]),
  rule(
    '5.1',
    'single-tenant static: good for its own tenant only',
    credential('that is static grants access to its own tenant only, whatever tpl it names'),
    [
      'config/config',
      'the configuration > accepts the credential %j',
      "{ WAREHOUSE_CREDENTIAL: 'single-tenant-static' }",
    ],
  ),
  rule(
    '5.1',
    'single-tenant dynamic: good for the tenant of its tpl',
    credential('that is dynamic is shared by all tenants, and the tpl chooses the tenant of a token'),
    [
      'e2e/tenants',
      'two tenants behind one warehouse and one credential > wait alone for a tpl that the warehouse does not know',
    ],
  ),
  rule(
    '5.1',
    'multi-tenant: not for data',
    credential('that is multi-tenant is shared by all tenants, and is refused data'),
    file('has %j reported', "{ credential: 'multi-tenant' }"),
    ['e2e/tenants', 'a tenant > with a multi-tenant credential waits and reports a possible cause'],
  ),
  unused('rule', '5.1', 'multi-tenant: provisions tenants', 'Dockline provisions none'),
  rule('5.2', 'id and secret are kept private', file('has no secret in any message'), [
    'config/config',
    'the configuration > reports every bad variable in one message, and no value',
  ]),
  rule(
    '5.3, 8',
    'a token ends after its lifetime, typically 30 to 60 minutes',
    dated('expiresIn: 3600, renewedAfterMs: 1_800_000'),
    ['sandbox/simulator/api/tokens', 'a token > expires after its lifetime'],
  ),
  rule(
    '5.3, 8',
    'a token is renewed no less than every 30 minutes',
    dated('expiresIn: 3600, renewedAfterMs: 1_800_000'),
  ),
  rule(
    '5.3, 8',
    'a token is renewed when it is no longer valid',
    token('that is answered with 401 is renewed once for all who held it'),
  ),
  rule('5.3', 'a token is renewed by the same request, not by a refresh token', [
    'e2e/warehouse-faults',
    'while the warehouse misbehaves > a revoked token is renewed once',
  ]),
  rule(
    '5.4',
    'the roles of a credential decide on each resource',
    ['activities/fetch', 'a part that cannot be had > is not asked for again by every subject while a role is missing'],
    [
      'activities/fetch',
      'a subject that cannot be had > holds its events back while a role is missing, unless their messages have it',
    ],
  ),
  rule('5.4, 7', '401: not authenticated', needed, token('is renewed once only: a second 401 is the answer')),
  rule(
    '5.4, 7',
    '403: authenticated, but the roles do not allow it',
    [
      'warehouse/warehouse',
      'a failed GET > with $status is $code, tried once',
      "{ status: 403, code: 'ERR_WAREHOUSE_FORBIDDEN', hint }",
    ],
    [
      'e2e/warehouse-faults',
      'while the warehouse misbehaves > a 403 keeps the order waiting until the role is granted',
    ],
  ),
];
