import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { loadFile, loadWarehouse, withWarehouses } from '../config/load-file.ts';
import { createCertificates, hasOpenssl } from '../support/certificates.ts';
import { unreachable } from '../support/warehouse-variables.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const url = 'https://hooks.example.com/in';

const variables = { ...unreachable, ANNOUNCE_URL: url, ANNOUNCE_SECRET: secret };

/** Reads the destination that variables describe. */
const fromVariables = (given: Readonly<Record<string, string>>) =>
  loadConfig({ ...variables, ...given }).tenants[0]?.destinations[0];

/** Reads the destination of a file. */
const fromFile = (announce: object) => loadWarehouse({ announce: { url, secret, ...announce } })?.destinations[0];

/** Reads the destinations of a file that it names. */
const named = (...destinations: readonly object[]) => loadWarehouse({ destinations })?.destinations;

/** Settings of a destination that says nothing of them. */
const defaults = { detail: 'full' };

it('one of several destinations of a file has the same settings, and the same contradictions', () => {
  const own = { name: 'erp', url: 'http://mesh.internal/in', secret, kinds: ['order'] };
  expect(named({ ...own, allowHttp: 'yes', bearer: 'shush' })).toEqual([
    { ...own, kind: 'http', secret: [secret], ...defaults, headers: { authorization: 'Bearer shush' }, tls: {} },
  ]);
  expect(() => named({ ...own, bearer: 'shush' })).toThrow(
    /destinations\.0\.url: is plain http .*; set allowHttp: yes to accept that$/,
  );
});

describe('how much a destination gets', () => {
  const token = 'sixteen-printable';

  it('is everything or nothing but facts, however it is configured', () => {
    const ofBoth = (detail: string | undefined) => [
      fromVariables({ ...(detail && { ANNOUNCE_DETAIL: detail }), ANNOUNCE_RECORDS_TOKEN: `${token},${token}2` }),
      fromFile({ ...(detail && { detail }), recordsToken: [token, `${token}2`] }),
    ];
    const recordsToken = [token, `${token}2`];
    for (const one of ofBoth(undefined)) expect(one).toMatchObject({ detail: 'full', recordsToken });
    for (const one of ofBoth('thin')) expect(one).toMatchObject({ detail: 'thin', recordsToken });
    const broker = { ANNOUNCE_URL: 'amqps://rabbit.example/orders', ANNOUNCE_DETAIL: 'thin' };
    expect(fromVariables(broker)).toMatchObject({ kind: 'amqp', detail: 'thin' });
    const { WAREHOUSE_BASE_URL: _, ...embedded } = { WAREHOUSE_BASE_URL: '', ANNOUNCE_DETAIL: 'thin' };
    expect(loadConfig(embedded)).toMatchObject({ ANNOUNCE_DETAIL: 'thin', notices: [] });
  });

  it.each([
    [{ ANNOUNCE_DETAIL: 'none' }, 'ANNOUNCE_DETAIL: must be one of full, advice, thin'],
    [
      { ANNOUNCE_OMIT: 'shipTo.phone' },
      'ANNOUNCE_OMIT: needs the detail advice: the records that the others have show',
    ],
    [{ ANNOUNCE_DETAIL: 'thin', ANNOUNCE_OMIT: 'shipTo' }, 'ANNOUNCE_OMIT: leaves members out of the advice, which'],
    [{ ANNOUNCE_DETAIL: 'advice', ANNOUNCE_OMIT: 'shipto' }, 'ANNOUNCE_OMIT: names no member of an advice, such as'],
    [
      { ANNOUNCE_DETAIL: 'advice', ANNOUNCE_OMIT: 'shipTo', ANNOUNCE_RECORDS_TOKEN: token },
      'ANNOUNCE_RECORDS_TOKEN: fetches records, which show what omit leaves out',
    ],
    [{ ANNOUNCE_RECORDS_TOKEN: 'short' }, 'ANNOUNCE_RECORDS_TOKEN: must have at least 16 characters, printable'],
    [{ ANNOUNCE_RECORDS_TOKEN: `${token},short` }, 'ANNOUNCE_RECORDS_TOKEN: must have at least 16 characters'],
    [{ ANNOUNCE_RECORDS_TOKEN: 'sixteen characters' }, 'ANNOUNCE_RECORDS_TOKEN: must have at least 16 characters'],
    [{ ANNOUNCE_RECORDS_TOKEN: ',' }, 'ANNOUNCE_RECORDS_TOKEN: must have at least one'],
    [
      { ANNOUNCE_RECORDS_TOKEN: token, ADMIN_TOKENS: `support:read:${token}` },
      'ANNOUNCE_RECORDS_TOKEN: is a token of the administrative API, which no receiver may have',
    ],
  ])('is refused with a sentence where it contradicts itself: %j', (given, problem) => {
    expect(() => fromVariables(given)).toThrow(problem);
    // Whether there is an address or an embedded receiver.
    const { ADMIN_TOKENS, ...own } = given as Readonly<Record<string, string>>;
    if (ADMIN_TOKENS === undefined) expect(() => loadConfig(own)).toThrow(problem);
  });

  it('is refused likewise in a file, also where two receivers would share a token', () => {
    expect(() => fromFile({ recordsToken: 'short' })).toThrow('announce.recordsToken: must have at least 16');
    const shared = 'recordsToken: is that of another destination, whose records it would show';
    const each = ['7001', '7002'].map((tenant) => ({
      tenant,
      clientId: tenant,
      announce: { url, secret, recordsToken: token },
    }));
    expect(() => loadFile(withWarehouses(...each))).toThrow(`announce.${shared}`);
    const two = ['erp', 'shop'].map((name) => ({ name, url, secret, recordsToken: token }));
    expect(() => named(...two)).toThrow(`destinations.1.${shared}`);
  });
});

describe('plain http to a destination', () => {
  const ANNOUNCE_URL = 'http://mesh.internal/in';

  it('needs the consent of its own setting', () => {
    expect(() => fromVariables({ ANNOUNCE_URL })).toThrow(
      'ANNOUNCE_URL: is plain http beyond loopback, which shows announcements to the network; set ANNOUNCE_ALLOW_HTTP=yes to accept that',
    );
    expect(fromVariables({ ANNOUNCE_URL, ANNOUNCE_ALLOW_HTTP: 'yes' })?.url).toBe(ANNOUNCE_URL);
    expect(() => fromFile({ url: ANNOUNCE_URL })).toThrow(
      /announce\.url: is plain http .*; set allowHttp: yes to accept that$/,
    );
    expect(fromFile({ url: ANNOUNCE_URL, allowHttp: 'yes' })?.url).toBe(ANNOUNCE_URL);
  });

  it('takes no other consent', () => {
    expect(() => fromVariables({ ANNOUNCE_ALLOW_HTTP: 'true' })).toThrow('ANNOUNCE_ALLOW_HTTP: must be one of yes, no');
    expect(() => fromFile({ allowHttp: 'true' })).toThrow('announce.allowHttp: must be one of yes, no');
  });
});

describe('what authenticates Dockline to a destination', () => {
  it('is a bearer token', () => {
    const headers = { authorization: 'Bearer shush' };
    expect(fromVariables({ ANNOUNCE_BEARER: 'shush' })).toHaveProperty('headers', headers);
    expect(fromFile({ bearer: 'shush' })).toHaveProperty('headers', headers);
  });

  it('is headers of any name, in a variable with commas and percent signs encoded', () => {
    const headers = { 'x-api-key': 'a,b=c%', authorization: 'Key 1' };
    expect(fromVariables({ ANNOUNCE_HEADERS: 'X-Api-Key = a%2Cb=c%25 , Authorization=Key 1' })).toHaveProperty(
      'headers',
      headers,
    );
    expect(fromFile({ headers: { 'X-Api-Key': 'a,b=c%', Authorization: 'Key 1' } })).toHaveProperty('headers', headers);
  });

  it.each([
    ['content-encoding', 'is reserved for Dockline and the connection'],
    ['Content-Length', 'is reserved for Dockline and the connection'],
    ['Host', 'is reserved for Dockline and the connection'],
    ['webhook-signature', 'is reserved for Dockline and the connection'],
    ['CE-Id', 'is reserved for Dockline and the connection'],
    ['transfer-encoding', 'is reserved for Dockline and the connection'],
    ['proxy-authorization', 'is reserved for Dockline and the connection'],
    ['x(y)', "must be a header's name"],
    ['x:y', "must be a header's name"],
  ])('is no header %s', (name, problem) => {
    expect(() => fromVariables({ ANNOUNCE_HEADERS: `${name}=shush` })).toThrow(`ANNOUNCE_HEADERS: ${name} ${problem}`);
    expect(() => fromFile({ headers: { [name]: 'shush' } })).toThrow(`announce.headers.${name}: ${problem}`);
  });

  it.each(['a\r\nx-other: b', 'a\nb', 'a\u0000', 'grün', ' ', 'tab\tbed'])(
    'is no header with the value %j',
    (value) => {
      const problem = 'must have a value of printable ASCII, without line breaks';
      expect(() => fromFile({ headers: { 'x-key': value } })).toThrow(`announce.headers.x-key: ${problem}`);
      const ANNOUNCE_HEADERS = `x-key=${encodeURIComponent(value)}`;
      expect(() => fromVariables({ ANNOUNCE_HEADERS })).toThrow(`ANNOUNCE_HEADERS: x-key ${problem}`);
    },
  );

  it.each([
    ...['shush', 'x-api-key=', 'two words=shush', 'a=shush%', 'a=shush,a=shush'].map(
      (ANNOUNCE_HEADERS): [object, string] => [
        { ANNOUNCE_HEADERS },
        'ANNOUNCE_HEADERS: must be name=value, separated by commas, each name once; within a value %2C is a comma and %25 a percent sign',
      ],
    ),
    [{ ANNOUNCE_HEADERS: 'a=shush,A=shush' }, 'ANNOUNCE_HEADERS: must set each name once'],
    [{ ANNOUNCE_HEADERS: `a=${'shush'.repeat(1000)}` }, 'ANNOUNCE_HEADERS: must have at most 4096 characters in all'],
    [{ ANNOUNCE_BEARER: 'Bearer shush' }, 'ANNOUNCE_BEARER: must be a token of printable characters without spaces'],
    [{ ANNOUNCE_BEARER: 'shush'.repeat(1000) }, 'ANNOUNCE_BEARER: must be a token of'],
    [{ ANNOUNCE_BEARER: 'shush', ANNOUNCE_URL: 'https://me:shush@example.com' }, 'ANNOUNCE_BEARER: is one of several'],
    [{ ANNOUNCE_BEARER: 'shush', ANNOUNCE_HEADERS: 'Authorization=shush' }, 'ANNOUNCE_BEARER: is one of several'],
    [
      { ANNOUNCE_HEADERS: 'authorization=shush', ANNOUNCE_URL: 'https://me:shush@example.com' },
      'ANNOUNCE_HEADERS: is one of several: set the user in the address, a bearer token or a header Authorization',
    ],
  ])('is not %j, and the error shows no value', (given, problem) => {
    const load = () => fromVariables(given as Record<string, string>);
    expect(load).toThrow(problem);
    expect(load).not.toThrow(/shush/);
  });

  it.each([
    [{ headers: 'x-api-key=shush' }, 'announce.headers: must be keys with values'],
    [{ headers: { 'x-api-key': ['shush'] } }, 'announce.headers.x-api-key: must be a text'],
    [{ headers: { a: 'shush', A: 'shush' } }, 'announce.headers: must set each name once'],
    [{ bearer: '' }, 'announce.bearer: must be a token of'],
  ])('is not %j in a file', (given, problem) => {
    expect(() => fromFile(given)).toThrow(problem);
    expect(() => fromFile(given)).not.toThrow(/shush/);
  });

  it('has no effect without an address', () => {
    expect(loadConfig({ ANNOUNCE_BEARER: 'x', ANNOUNCE_HEADERS: 'a=b' }).notices).toEqual([
      'ANNOUNCE_HEADERS, ANNOUNCE_BEARER have no effect without ANNOUNCE_URL.',
    ]);
  });
});

describe.skipIf(!hasOpenssl)('the certificates of a destination', () => {
  const certificates = hasOpenssl ? createCertificates() : undefined;
  afterAll(() => certificates?.remove());
  const path = (name: string) => certificates?.path(name) ?? '';
  const read = (name: string) => certificates?.read(name) ?? '';
  const write = (name: string, text: string) => certificates?.write(name, text) ?? '';
  const client = { ANNOUNCE_CLIENT_CERT: path('client.crt'), ANNOUNCE_CLIENT_KEY: path('client.key') };

  it('are read from PEM files', () => {
    const tls = { cert: read('client.crt'), key: read('client.key'), ca: read('ca.crt') };
    expect(fromVariables({ ...client, ANNOUNCE_CA: path('ca.crt') })?.tls).toEqual(tls);
    const files = { clientCert: path('client.crt'), clientKey: path('client.key'), ca: path('ca.crt') };
    expect(fromFile(files)?.tls).toEqual(tls);
    const bundle = write('bundle.pem', `# both\n${read('ca.crt')}\n# other\n${read('stranger.crt')}`);
    expect(fromVariables({ ANNOUNCE_CA: bundle })?.tls).toEqual({
      ca: `# both\n${read('ca.crt')}\n# other\n${read('stranger.crt')}`,
    });
  });

  it.each<[given: Record<string, string>, problem: string | RegExp]>([
    [{ ...client, ANNOUNCE_CLIENT_CERT: '' }, 'ANNOUNCE_CLIENT_CERT: is required with the key of one'],
    [{ ...client, ANNOUNCE_CLIENT_KEY: '' }, 'ANNOUNCE_CLIENT_KEY: is required with a client certificate'],
    [
      { ...client, ANNOUNCE_CLIENT_KEY: path('server.key') },
      'ANNOUNCE_CLIENT_KEY: does not belong to the client certificate',
    ],
    [{ ANNOUNCE_CA: path('none.pem') }, 'ANNOUNCE_CA: must be the path of a PEM file with certificates (ENOENT)'],
    [
      { ...client, ANNOUNCE_CLIENT_KEY: path('client.crt') },
      /ANNOUNCE_CLIENT_KEY: .* a private key that has no passphrase \(ERR_/,
    ],
    [{ ...client, ANNOUNCE_CLIENT_KEY: read('client.key') }, /ANNOUNCE_CLIENT_KEY: must be the path of a PEM file/],
    [{ ...client, ANNOUNCE_CLIENT_CERT: path('client.key') }, /ANNOUNCE_CLIENT_CERT: .* with certificates \(ERR_/],
    [{ ANNOUNCE_CA: '/dev/zero' }, /ANNOUNCE_CA: must be the path of a PEM file/],
    [
      { ANNOUNCE_CA: write('huge.pem', read('ca.crt') + '\n'.repeat(1_048_577)) },
      /ANNOUNCE_CA: must be the path of a PEM file/,
    ],
    [{ ANNOUNCE_CA: write('empty.pem', '') }, /ANNOUNCE_CA: must be the path of a PEM file/],
    [
      { ANNOUNCE_CA: write('cut.pem', `${read('ca.crt')}${read('ca.crt').slice(0, 200)}`) },
      /ANNOUNCE_CA: must be the path/,
    ],
    [{ ANNOUNCE_CA: path('ca.crt'), ANNOUNCE_URL: 'http://127.0.0.1' }, 'ANNOUNCE_CA: needs an address with https'],
    [{ ...client, ANNOUNCE_URL: 'HTTP://127.0.0.1' }, 'ANNOUNCE_CLIENT_CERT: needs an address with https'],
  ])('are refused with the name of the variable: %j', (given, problem) => {
    expect(() => fromVariables(given)).toThrow(problem);
    expect(() => fromVariables(given)).not.toThrow(/dockline-certificates|-----|MII|MC4|MHc/);
  });

  it('are refused if the key has a passphrase, or they are a folder', () => {
    const options = ['ec', '-in', path('client.key'), '-aes128', '-passout', 'pass:shush', '-out', path('locked.key')];
    execFileSync('openssl', options, { stdio: 'pipe' });
    expect(() => fromVariables({ ...client, ANNOUNCE_CLIENT_KEY: path('locked.key') })).toThrow(
      'ANNOUNCE_CLIENT_KEY: must be',
    );
    mkdirSync(path('folder'));
    expect(() => fromVariables({ ANNOUNCE_CA: path('folder') })).toThrow('ANNOUNCE_CA: must be the path of a PEM file');
  });
});

/** Loads a destination of a file, whose name is `bus`. */
const loadBus = (destination: object) => named({ name: 'bus', ...destination });

describe('an exchange of RabbitMQ', () => {
  const broker = 'amqps://me:sh%40sh@rabbit.example/orders';
  const parsed = { kind: 'amqp', url: 'amqps://rabbit.example/orders', credentials: 'me:sh@sh', tls: {} };
  it('is a destination of its own kind, which needs no secret', () => {
    const usual = { name: 'bus', ...parsed, exchange: 'dockline', ...defaults };
    expect(loadBus({ kind: 'amqp', url: broker })).toEqual([usual]);
    const more = { exchange: 'wms.events', detail: 'advice', types: ['order.*'] };
    expect(loadBus({ kind: 'amqp', url: broker, secret, ...more })).toEqual([{ ...usual, ...more, secret: [secret] }]);
  });

  it('is what ANNOUNCE_URL names', () => {
    const { ANNOUNCE_SECRET: _, ...others } = variables;
    const given = { ...others, ANNOUNCE_URL: broker, ANNOUNCE_EXCHANGE: 'wms' };
    const usual = { name: 'default', ...parsed, exchange: 'wms', ...defaults };
    expect(loadConfig(given)).toMatchObject({ tenants: [{ destinations: [usual] }], notices: [] });
  });

  it('says which variables are those of the other kind', () => {
    expect(loadConfig({ ...variables, ANNOUNCE_URL: broker, ANNOUNCE_BEARER: 'x' }).notices).toEqual([
      expect.stringMatching(/^ANNOUNCE_BEARER has no effect with this kind of ANNOUNCE_URL/),
    ]);
    expect(loadConfig({ ...variables, ANNOUNCE_EXCHANGE: 'wms' }).notices).toEqual([
      expect.stringMatching(/^ANNOUNCE_EXCHANGE has no effect with this kind of ANNOUNCE_URL/),
    ]);
  });

  it('needs the consent of its own setting without TLS, but on loopback', () => {
    const url = 'amqp://me:shush@rabbit.example';
    const problem = 'is plain amqp beyond loopback, which shows the login and announcements to the network; set';
    expect(() => loadBus({ kind: 'amqp', url })).toThrow(
      `destinations.0.url: ${problem} allowAmqp: yes to accept that`,
    );
    expect(() => fromVariables({ ANNOUNCE_URL: url })).toThrow(
      `ANNOUNCE_URL: ${problem} ANNOUNCE_ALLOW_AMQP=yes to accept that`,
    );
    expect(loadBus({ kind: 'amqp', url, allowAmqp: 'yes' })).toMatchObject([{ url: 'amqp://rabbit.example' }]);
    expect(fromVariables({ ANNOUNCE_URL: url, ANNOUNCE_ALLOW_AMQP: 'yes' })?.url).toBe('amqp://rabbit.example');
    expect(loadBus({ kind: 'amqp', url: 'amqp://localhost' })).toMatchObject([{ url: 'amqp://localhost' }]);
  });

  it.each([
    [{ kind: 'kafka', url: broker }, /line 13: destinations\.0\.kind: must be one of http, amqp/],
    [{ kind: 'amqp' }, /line 11: destinations\.0\.url: is required with kind: amqp/],
    [{ url: broker, secret }, /line 13: destinations\.0\.url: must be an http:\/\/ or https:\/\/ address/],
    [{ kind: 'amqp', url: 'https://me:shush@x' }, /line 14: destinations\.0\.url: must be an amqps:\/\/ or amqp:\/\/ /],
    [
      { kind: 'amqp', url: broker, bearer: 'shush' },
      /line 15: destinations\.0\.bearer: is not known here; it is for kind: http or temporal$/,
    ],
    [
      { url: 'https://x', secret, exchange: 'x' },
      /line 15: destinations\.0\.exchange: is not known here; it is for kind: amqp$/,
    ],
    [{ kind: 'amqp', url: `${broker}/more` }, /must have no more of a path than its virtual host/],
    [{ kind: 'amqp', url: `${broker}%` }, /must have no more of a path than its virtual host/],
    [{ kind: 'amqp', url: `${broker}?heartbeat=1` }, /must have no query/],
    [{ kind: 'amqp', url: 'amqps://me:sh%ush@x' }, /must have its user and password percent-encoded/],
    [{ kind: 'amqp', url: broker, exchange: '' }, /line 15: destinations\.0\.exchange: must be of letters/],
    [{ kind: 'amqp', url: 'amqp://localhost', ca: '/dev/null' }, /ca: must be the path of a PEM file/],
    [{ kind: 'amqp', url: broker, secret: 'shush' }, /line 15: destinations\.0\.secret: must be whsec_/],
  ])('is not %j, and the error shows no value', (given, problem) => {
    expect(() => loadBus(given)).toThrow(problem);
    expect(() => loadBus(given)).not.toThrow(/sh%?40?u?sh/);
  });
});

describe('workflows of Temporal', () => {
  const server = 'temporals://temporal.example:7233/orders';
  const workflows = { workflowType: 'fulfillment', taskQueue: 'fulfillment' };
  const usual = {
    kind: 'temporal',
    url: server,
    ...workflows,
    workflowId: '{kind}-{tenant}-{id}',
    signal: 'dockline',
    whenClosed: 'start',
    detail: 'thin',
    tls: { cert: undefined, key: undefined, ca: undefined },
  };

  it('are a destination of their own kind, which gets no records unless it wants them', () => {
    const given = { kind: 'temporal', url: server, ...workflows };
    expect(loadBus(given)).toEqual([{ name: 'bus', ...usual }]);
    const more = {
      workflowId: '{customer}/{referenceNumber}',
      signal: '{milestone}',
      whenClosed: 'skip',
      detail: 'full',
    };
    expect(loadBus({ ...given, ...more, bearer: 'shush' })).toEqual([
      { name: 'bus', ...usual, ...more, bearer: 'shush' },
    ]);
  });

  it('are what ANNOUNCE_URL names', () => {
    const { ANNOUNCE_SECRET: _, ...others } = variables;
    const given = { ANNOUNCE_WORKFLOW_TYPE: 'fulfillment', ANNOUNCE_TASK_QUEUE: 'fulfillment' };
    const { tenants, notices } = loadConfig({ ...others, ANNOUNCE_URL: server, ...given });
    expect([tenants[0]?.destinations, notices]).toEqual([[{ name: 'default', ...usual }], []]);
  });

  it.each([
    [{ url: 'temporals://temporal.example' }, /url: must have the namespace as its path/],
    [{ url: 'temporals://temporal.example/a/b' }, /url: must have the namespace as its path/],
    [{ url: 'temporals://me:shush@temporal.example/a' }, /url: must have no user and no password/],
    [{ url: 'temporals://temporal.example/a?b=c' }, /url: must have no query/],
    [{ url: 'https://temporal.example/a' }, /url: must be a temporals:/],
    [{ url: 'temporal://temporal.example/a' }, /url: is plain temporal beyond loopback.*allowTemporal: yes/],
    [{ url: 'temporal://127.0.0.1/a', bearer: 'shush' }, /bearer: needs an address with temporals/],
    [{ workflowType: undefined }, /workflowType: is required with kind: temporal/],
    [{ taskQueue: '' }, /taskQueue: must have 1 to 200 characters/],
    [{ workflowId: '{orderId}' }, /workflowId: must have no placeholders but \{tenant\}, \{kind\}/],
    [{ workflowId: '{id' }, /workflowId: must be a name, in which braces contain a placeholder/],
    [{ workflowId: '' }, /workflowId: must not be empty/],
    [{ whenClosed: 'never' }, /whenClosed: must be one of start, skip, refuse/],
    [{ secret }, /secret: is not known here/],
    [{ headers: { 'x-a': 'b' } }, /headers: is not known here/],
  ])('are refused with what is wrong: %j', (given, problem) => {
    expect(() => loadBus({ kind: 'temporal', url: server, ...workflows, ...given })).toThrow(problem);
  });
});
