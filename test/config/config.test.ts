import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { variables } from '../../src/config/variables.ts';
import { unreachable as warehouse } from '../support/warehouse-variables.ts';
import { loadWarehouse } from './load-file.ts';
import { writeTemporary } from './temporary-text.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const codecKey = Buffer.alloc(32, 1).toString('base64');
const tpl = '5f0c2b7e-8d3a-4c19-b6a4-2e9d7f1c0a55';
const announced = { ANNOUNCE_URL: 'https://example.com/in', ANNOUNCE_SECRET: secret };

function messageOf(act: () => unknown): string {
  try {
    act();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('the configuration', () => {
  it('has a default for everything', () => {
    const config = loadConfig({});
    expect(config).toMatchObject({
      WEBHOOK_PORT: 3000,
      WEBHOOK_VERIFY: 'rsa-sha256',
      GRACE_PERIOD_MS: 86_400_000,
      tenants: [],
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it.each([['WAREHOUSE_TENNANT', 'WAREHOUSE_TENANT']])(
    'names %s, which is not known, with what was meant',
    (name, meant) => {
      expect(loadConfig({ [name]: 'x' }).notices).toEqual([`${name} is not known. Is it meant to be ${meant}?`]);
    },
  );

  it('names one that is misspelt beside the right one', () => {
    expect(loadConfig({ ADMIN_TOKNE: 'x', ADMIN_TOKEN: 'sixteen-characters' }).notices).toEqual([
      'ADMIN_TOKNE is not known. Is it meant to be ADMIN_TOKEN, which is set as well?',
    ]);
  });

  it.each(['WAREHOUSE_CLIENT_SECRET_2', 'OTEL_EXPORTER_OTLP_PROTOCOL', 'PATH', 'WEBHOOK_SECRETS_FOLDER'])(
    'takes %s for a variable of something else',
    (name) => {
      expect(loadConfig({ [name]: 'x' }).notices).toEqual([]);
    },
  );

  it('says what is misspelt beside what is missing', () => {
    const { WAREHOUSE_CLIENT_SECRET: _, ...others } = warehouse;
    expect(messageOf(() => loadConfig({ ...others, WAREHOUSE_CLIENT_SECRT: 'hush' }))).toBe(
      'The configuration has errors:\n' +
        '  WAREHOUSE_CLIENT_SECRET: is required with WAREHOUSE_BASE_URL\n' +
        '  WAREHOUSE_CLIENT_SECRT is not known. Is it meant to be WAREHOUSE_CLIENT_SECRET?',
    );
  });

  it.each([
    ['a line end', 'hush\n', 'hush'],
    ['spaces', ' \t hush ', 'hush'],
    ['quotes', '"hush"', 'hush'],
    ['single quotes and a line end', "'hush'\n", 'hush'],
    ['quotes around spaces that belong to it', '" hush "', ' hush '],
    ['a quote at one end', '"hush', '"hush'],
    ['quotes around quotes', `'"hush"'`, '"hush"'],
  ])('reads a secret with %s', (_, given, secret) => {
    const { tenants, notices } = loadConfig({ ...warehouse, ...announced, WAREHOUSE_CLIENT_SECRET: given });
    expect(tenants[0]?.clientSecret).toBe(secret);
    expect(notices).toEqual([]);
  });

  it.each(['WAREHOUSE_CLIENT_SECRET', 'WAREHOUSE_USER_LOGIN'])('asks whether a comment follows %s', (name) => {
    const { notices } = loadConfig({ ...warehouse, ...announced, [name]: 'hush    # of step 1' });
    expect(notices).toEqual([
      `${name} contains a space and #. Is that a comment? Then put it on a line of its own: it is read as part of the value.`,
    ]);
    expect(loadConfig({ ...warehouse, ...announced, [name]: 'hush#1' }).notices).toEqual([]);
  });

  it('says that a comment may be what is wrong with a value', () => {
    expect(messageOf(() => loadConfig({ WEBHOOK_PORT: '3000 # of the proxy' }))).toMatch(
      /^The configuration has errors:\n {2}WEBHOOK_PORT: must be .+\n {2}WEBHOOK_PORT contains a space and #\..+$/,
    );
  });

  it.each<[Record<string, string>, string]>([
    [{ ANNOUNCE_SECRET: secret }, 'ANNOUNCE_SECRET has no effect without ANNOUNCE_URL.'],
    [
      { WAREHOUSE_CLIENT_ID: 'id', WAREHOUSE_TENANT: '9104' },
      'WAREHOUSE_TENANT, WAREHOUSE_CLIENT_ID have no effect without WAREHOUSE_BASE_URL: the warehouse is simulated.',
    ],
    [
      { ...warehouse, ...announced, WEBHOOK_TOKEN: 'sixteen-characters' },
      'WEBHOOK_TOKEN has no effect with WEBHOOK_VERIFY=rsa-sha256.',
    ],
    [
      { ...warehouse, ...announced, SIMULATOR_LATE_RATE: '0.5' },
      'SIMULATOR_LATE_RATE has no effect with a real warehouse.',
    ],
    [{ CODEC_TOKEN: 'sixteen-characters' }, 'CODEC_TOKEN has no effect without CODEC_PORT.'],
    [{ METRICS_HOST: '0.0.0.0' }, 'METRICS_HOST has no effect without METRICS_PORT.'],
    [
      warehouse,
      'Announcements go to the embedded receiver, which acknowledges and forgets them: set ANNOUNCE_URL, or announce in the file of settings.',
    ],
  ])('says what has no effect: %j', (env, sentence) => {
    expect(loadConfig(env).notices).toEqual([sentence]);
  });

  it('reads what the file names without its line end', () => {
    const given = { clientSecret: '$' + '{SECRET_OF_7001}' };
    expect(loadWarehouse(given, { SECRET_OF_7001: 'shush\n' })?.clientSecret).toBe('shush');
  });

  it.each<[string, string, string | undefined]>([
    ['https://example.com/in?key=1', 'https://example.com/in?key=1', undefined],
    ['https://me:pass@example.com/in?key=1', 'https://example.com/in?key=1', 'me:pass'],
    ['https://me@example.com/', 'https://example.com/', 'me:'],
    ['https://:pass@example.com/', 'https://example.com/', ':pass'],
    ['https://m%20e:p%40ss%3A%C3%BC@example.com/', 'https://example.com/', 'm e:p@ss:ü'],
  ])('sends the user and the password of %s as Basic', (given, url, basic) => {
    const authorization = basic && `Basic ${Buffer.from(basic).toString('base64')}`;
    const { tenants } = loadConfig({ ...warehouse, ...announced, ANNOUNCE_URL: given });
    expect(tenants[0]?.destinations[0]).toMatchObject({ url });
    expect(tenants[0]?.destinations[0]).toHaveProperty('headers', authorization ? { authorization } : {});
    expect(loadWarehouse({ announce: { url: given, secret } })?.destinations[0]).toEqual(tenants[0]?.destinations[0]);
  });

  it.each(['https://me:p%ass@example.com', 'https://m%3Ae:pass@example.com', 'https://me:pa%0Ass@example.com'])(
    'refuses %s, which no header can carry',
    (url) => {
      const message = messageOf(() => loadConfig({ ...warehouse, ...announced, ANNOUNCE_URL: url }));
      expect(message).toContain('ANNOUNCE_URL: must have its user and password percent-encoded');
    },
  );

  it.each(['WAREHOUSE_BASE_URL', 'WAREHOUSE_AUTH_URL', 'ADMIN_URL', 'TEMPORAL_UI_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT'])(
    'refuses a user in %s, to which nobody would send it',
    (name) => {
      const message = messageOf(() =>
        loadConfig({ ...warehouse, ...announced, [name]: 'https://me:hush@example.com' }),
      );
      expect(message).toContain(`${name}: must not contain a user or a password, which would not be sent`);
      expect(message).not.toContain('hush');
      expect(message.includes('OTEL_EXPORTER_OTLP_HEADERS')).toBe(name.startsWith('OTEL'));
    },
  );

  it('treats an empty variable as not set', () => {
    expect(loadConfig({ TEMPORAL_ADDRESS: '', WEBHOOK_PORT: '' })).toMatchObject({ WEBHOOK_PORT: 3000 });
  });

  it('takes Temporal from the profile that is asked for, and the environment first', () => {
    const path = writeTemporary(
      '[profile.cloud]\naddress = "cloud:7233"\nnamespace = "orders.abc"\napi_key = "secret-key"\n',
    );
    const env = { TEMPORAL_CONFIG_FILE: path, TEMPORAL_PROFILE: 'cloud' };
    expect(loadConfig(env)).toMatchObject({ TEMPORAL_ADDRESS: 'cloud:7233', TEMPORAL_NAMESPACE: 'orders.abc' });
    expect(loadConfig(env).temporalCredentials).toEqual({ tls: true, apiKey: 'secret-key' });
    expect(loadConfig({ ...env, TEMPORAL_NAMESPACE: 'mine' })).toMatchObject({ TEMPORAL_NAMESPACE: 'mine' });
    expect(loadConfig({ TEMPORAL_ADDRESS: 'own:7233' }).temporalCredentials).toEqual({});
  });

  it.each([
    [{ TEMPORAL_TLS: 'yes', TEMPORAL_ADDRESS: 'own:7233' }, /TEMPORAL_TLS/],
    [{ TEMPORAL_API_KEY: 'secret-key' }, /TEMPORAL_ADDRESS: is required/],
    [{ TEMPORAL_ADDRESS: 'own:7233', TEMPORAL_TLS_CLIENT_CERT_PATH: '/nowhere.pem' }, /TEMPORAL_TLS_CLIENT_KEY_PATH/],
    [
      { TEMPORAL_ADDRESS: 'own:7233', TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/nowhere.pem' },
      /TEMPORAL_TLS_…_PATH: a file cannot be read/,
    ],
    [{ TEMPORAL_CONFIG_FILE: '/nowhere.toml' }, /TEMPORAL_CONFIG_FILE: does not exist/],
    [{ TEMPORAL_PROFILE: 'nobody' }, /TEMPORAL_PROFILE: /],
  ])('refuses access to Temporal that cannot work: %j', (env, message) => {
    expect(() => loadConfig(env)).toThrow(message);
    expect(() => loadConfig(env)).not.toThrow('secret-key');
  });

  it.each([
    ['Order-Shipped = OrderConfirm,', { ordershipped: 'OrderConfirm' }],
    ['receipt/Create=ReceiptCreate', { 'receipt/create': 'ReceiptCreate' }],
    ['Receiver/Neu angelegt = Create', { 'receipt/neuangelegt': 'ReceiptCreate' }],
    [
      'order item/Grab=OrderItemPick,OrderShipped=orderconfirm',
      { 'orderItem/grab': 'OrderItemPick', ordershipped: 'OrderConfirm' },
    ],
  ])('reads aliases of events, also for one family: %s', (text, aliases) => {
    expect(loadConfig({ WEBHOOK_EVENT_ALIASES: text }).WEBHOOK_EVENT_ALIASES).toEqual(aliases);
  });

  it('reads addresses and ranges', () => {
    const given = {
      WEBHOOK_TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.7, 2001:db8::/32',
      ANNOUNCE_ALLOWED_ADDRESSES: '10.0.0.0/8, fd00::/8, 0.0.0.0/0',
    };
    expect(loadConfig(given)).toMatchObject({
      WEBHOOK_TRUSTED_PROXIES: ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'],
      ANNOUNCE_ALLOWED_ADDRESSES: ['10.0.0.0/8', 'fd00::/8', '0.0.0.0/0'],
    });
  });

  it('reads several secrets', () => {
    const { tenants } = loadConfig({
      ...warehouse,
      WEBHOOK_VERIFY: 'hmac-sha256',
      WEBHOOK_SECRET: 'the-secret-of-today, the-secret-of-tomorrow',
      WEBHOOK_SIGNATURE_HEADER: 'X-Hub-Signature-256',
      WEBHOOK_SIGNATURE_PREFIX: 'sha256=',
    });
    expect(tenants[0]?.webhook).toMatchObject({
      secret: ['the-secret-of-today', 'the-secret-of-tomorrow'],
      header: 'x-hub-signature-256',
      encoding: 'hex',
      prefix: 'sha256=',
    });
  });

  it.each([
    { WEBHOOK_HOST: '127.0.0.1' },
    { WEBHOOK_HOST: 'localhost' },
    { WEBHOOK_HOST: '::1' },
    { WEBHOOK_HOST: '0.0.0.0', WEBHOOK_ACCEPT_UNVERIFIED: 'yes' },
  ])('accepts unverified deliveries with %j', (env) => {
    expect(loadConfig({ WEBHOOK_VERIFY: 'none', ...env }).WEBHOOK_VERIFY).toBe('none');
  });

  it('names the endpoint of a file that would accept them from the network', () => {
    const load = (WEBHOOK_HOST: string) => loadWarehouse({ webhook: { verify: 'none' } }, { WEBHOOK_HOST });
    expect(() => load('0.0.0.0')).toThrow(
      /errors:\n {2}WEBHOOK_HOST: is not loopback, and \/webhooks\/9104 verifies .+$/,
    );
    expect(load('127.0.0.1')?.webhook).toEqual({ verify: 'none' });
  });

  it.each(['WAREHOUSE_BASE_URL', 'WAREHOUSE_AUTH_URL'])('refuses plain http in %s beyond loopback', (name) => {
    const env = { ...warehouse, [name]: 'http://warehouse.example' };
    expect(() => loadConfig(env)).toThrow(
      `${name}: is plain http beyond loopback, which shows the credential and the tokens to the network; set WAREHOUSE_ALLOW_HTTP=yes to accept that`,
    );
    expect(loadConfig({ ...env, WAREHOUSE_ALLOW_HTTP: 'yes' }).tenants).toHaveLength(1);
    expect(loadConfig({ ...warehouse, [name]: 'http://127.0.0.1:8080' }).tenants).toHaveLength(1);
    expect(loadConfig({ ...warehouse, [name]: 'http://[::1]:8080' }).tenants).toHaveLength(1);
  });

  it('reads one tenant from variables', () => {
    const { tenants } = loadConfig({
      ...warehouse,
      WAREHOUSE_CALLS_PER_SECOND: '3',
      WAREHOUSE_ORDER_DETAIL: 'packages,contacts',
    });
    expect(tenants).toMatchObject([
      {
        id: '9104',
        endpoint: 'warehouse',
        baseUrl: 'https://warehouse.test',
        clientSecret: 'secret',
        orderDetail: ['packages', 'contacts'],
        callsPerSecond: 3,
        webhook: { verify: 'rsa-sha256' },
        destinations: [],
      },
    ]);
    const { WAREHOUSE_TENANT: _, ...unnamed } = warehouse;
    expect(() => loadConfig(unnamed)).toThrow(/errors:\n {2}WAREHOUSE_TENANT: is required with WAREHOUSE_BASE_URL$/);
  });

  it('may have the GUID that a dynamic credential needs', () => {
    expect(loadConfig({ ...warehouse, WAREHOUSE_TPL: tpl }).tenants[0]?.tpl).toBe(tpl);
  });

  it('has each secret of the destination, so that one can replace another', () => {
    const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const secretsOf = (ANNOUNCE_SECRET: string) =>
      loadConfig({ ...warehouse, ANNOUNCE_URL: 'https://example.com/in', ANNOUNCE_SECRET }).tenants[0]?.destinations[0];
    expect(secretsOf(secret)).toMatchObject({ secret: [secret] });
    expect(secretsOf(`${other}, ${secret}`)).toMatchObject({ secret: [other, secret] });
    expect(() => secretsOf(`${secret},whsec_short`)).toThrow(/ANNOUNCE_SECRET: /);
    expect(() => secretsOf(',')).toThrow('ANNOUNCE_SECRET: must have at least one');
  });

  it('reads the example of a file, whose values refer to variables', () => {
    const { tenants } = loadConfig({
      CONFIG_FILE: 'dockline.example.yaml',
      WAREHOUSE_SECRET: 'hush',
      ANNOUNCE_SECRET: secret,
      ANNOUNCE_SECRET_9210: secret,
      ANNOUNCE_SECRET_ALDER: secret,
      ANNOUNCE_SECRET_SHIPPING: secret,
      RECORDS_TOKEN_SHIPPING: 'the-token-of-a-receiver',
      WAREHOUSE_SECRET_7001: 'shush',
      WEBHOOK_TOKEN_7001: 'sixteen-characters',
      SLACK_URL: 'https://hooks.slack.test/1',
      MAIL_PASSWORD: 'hush',
    });
    expect(tenants.map(({ id: tenant, clientSecret }) => [tenant, clientSecret])).toEqual([
      ['9104', 'hush'],
      ['9210', 'hush'],
      ['7001', 'shush'],
    ]);
  });

  it('reports every bad line of the file in one message', () => {
    expect(() => loadConfig({ CONFIG_FILE: 'dockline.example.yaml' })).toThrow(
      /^The configuration has errors:\n {2}dockline.example.yaml, line 10: the variable WAREHOUSE_SECRET is not set\n(.+\n){8}.*line \d+: .+$/,
    );
  });

  it.each([
    [{ ANNOUNCE_TIMEOUT_MS: '60000' }, /ANNOUNCE_TIMEOUT_MS/],
    [{ WAREHOUSE_TIMEOUT_MS: '0' }, /WAREHOUSE_TIMEOUT_MS/],
    [{ RETAIN_KEYS_DAYS: '10' }, /RETAIN_BODIES_DAYS: must not exceed RETAIN_EVENTS_DAYS/],
    [
      { DATABASE_URL: 'mysql://localhost/dockline' },
      /DATABASE_URL: must be an address such as postgres:\/\/.*%23 for #/,
    ],
    ...['pa#ss', '12#ss'].map((password): [Record<string, string>, RegExp] => [
      { DATABASE_URL: `postgres://me:${password}@localhost/dockline` },
      /errors:\n {2}DATABASE_URL: contains #, which would end the address: write it as %23 in the password$/,
    ]),
    [
      { DATABASE_URL: 'postgres://localhost/dockline?sslmode=required' },
      /DATABASE_URL: may have as sslmode .*require,/,
    ],
    [{ WEBHOOK_ACCEPT_UNVERIFIED: 'true' }, /WEBHOOK_ACCEPT_UNVERIFIED/],
    [
      { WEBHOOK_VERIFY: 'none', WEBHOOK_HOST: '0.0.0.0' },
      /WEBHOOK_HOST: is not loopback, and \/webhooks\/warehouse verifies nothing/,
    ],
    ...['proxy.example', '10.0.0.1/33', '10.0.0.0/0', '::/129', '10.0.0.1/', '10.0.0'].map(
      (proxy): [Record<string, string>, RegExp] => [
        { WEBHOOK_TRUSTED_PROXIES: `127.0.0.1,${proxy}` },
        /WEBHOOK_TRUSTED_PROXIES: must be addresses or ranges such as 10\.0\.0\.0\/8/,
      ],
    ),
    [
      { ORDER_STAGE_LIMITS: 'picked=soon' },
      /ORDER_STAGE_LIMITS: must be of the form created=86400000,418:picked=1h, with limits in milliseconds/,
    ],
    [{ WEBHOOK_FAILURES_PER_MINUTE: '0' }, /WEBHOOK_FAILURES_PER_MINUTE/],
    [{ ADMIN_HOST: '0.0.0.0' }, /ADMIN_TOKEN or ADMIN_TOKENS: is required unless ADMIN_HOST is loopback/],
    [{ ADMIN_TOKEN: 'short' }, /ADMIN_TOKEN: must have at least 16 characters/],
    [{ ADMIN_TOKEN: 'sixteen characters' }, /ADMIN_TOKEN: .*without spaces/],
    ...[
      'support',
      'support:read',
      'support:read:short',
      'support:write:0123456789abcdef',
      ':read:0123456789abcdef',
    ].map((ADMIN_TOKENS): [Record<string, string>, RegExp] => [
      { ADMIN_TOKENS },
      /ADMIN_TOKENS: must be of the form name:roles:token/,
    ]),
    [
      { ADMIN_TOKENS: 'a:read:0123456789abcdef,a:act:fedcba9876543210' },
      /ADMIN_TOKENS: must give each token a name of its own/,
    ],
    [
      { ADMIN_TOKENS: 'a:read:0123456789abcdef,b:act:0123456789abcdef' },
      /ADMIN_TOKENS: must not give two names the same token/,
    ],
    [{ ADMIN_TOKENS: 'ADMIN_TOKEN:read:0123456789abcdef' }, /ADMIN_TOKENS: must not name a token ADMIN_TOKEN/],
    [
      { ADMIN_TOKEN: '0123456789abcdef', ADMIN_TOKENS: 'a:read:0123456789abcdef' },
      /ADMIN_TOKENS: must not contain the token of ADMIN_TOKEN/,
    ],
    [{ TEMPORAL_CODEC_KEYS: 'a:c2hvcnQ=' }, /TEMPORAL_CODEC_KEYS: must be of the form id:key/],
    [{ TEMPORAL_CODEC_KEYS: codecKey }, /TEMPORAL_CODEC_KEYS: must be of the form id:key/],
    [{ TEMPORAL_CODEC_KEYS: ',' }, /TEMPORAL_CODEC_KEYS: must have at least one/],
    [
      { TEMPORAL_CODEC_KEYS: `a:${codecKey},a:${codecKey}` },
      /TEMPORAL_CODEC_KEYS: must give each key an id of its own/,
    ],
    [{ CODEC_PORT: '8234' }, /TEMPORAL_CODEC_KEYS: is required with CODEC_PORT/],
    [{ CODEC_HOST: '0.0.0.0' }, /CODEC_TOKEN: is required unless CODEC_HOST is loopback/],
    [{ CODEC_TOKEN: 'short' }, /CODEC_TOKEN: must have at least 16 characters/],
    [{ CODEC_ORIGINS: 'https://ui.example/path' }, /CODEC_ORIGINS: must be of the form/],
    [{ CODEC_ORIGINS: '*' }, /CODEC_ORIGINS: must be of the form/],
    [{ ORDER_STAGE_LIMITS: 'none,picked=1' }, /ORDER_STAGE_LIMITS: must have none alone/],
    [{ ORDER_STAGE_LIMITS: 'closed=1' }, /ORDER_STAGE_LIMITS: must be of the form/],
    [
      { WEBHOOK_EVENT_ALIASES: 'OrderShipped=OrderTeleported' },
      /WEBHOOK_EVENT_ALIASES: must map to names in the catalogue/,
    ],
    [{ WEBHOOK_EVENT_ALIASES: 'OrderShipped' }, /WEBHOOK_EVENT_ALIASES: must be of the form/],
    [{ WEBHOOK_EVENT_ALIASES: 'receipt/Create=OrderCreate' }, /WEBHOOK_EVENT_ALIASES: must not give a family's name/],
    [{ WEBHOOK_EVENT_ALIASES: 'order/Pick=OrderItemPick' }, /WEBHOOK_EVENT_ALIASES: must not give a family's name/],
    [
      { WEBHOOK_EVENT_ALIASES: 'invoice/Create=OrderCreate' },
      /WEBHOOK_EVENT_ALIASES: must name one of these .* receipt/,
    ],
    [{ WEBHOOK_EVENT_ALIASES: 'A b=OrderCreate,a_B=OrderCancel' }, /WEBHOOK_EVENT_ALIASES: must not give one name two/],
    [
      { ...warehouse, CONFIG_FILE: 'dockline.example.yaml' },
      /WAREHOUSE_BASE_URL, .*: must be unset with warehouses in CONFIG_FILE/,
    ],
    [{ CONFIG_FILE: 'dockline.example.yaml', WEBHOOK_TOKEN: 'short' }, /WEBHOOK_TOKEN: must be unset/],
    [{ ANNOUNCE_ALLOWED_ADDRESSES: '10.0.0.0/33' }, /ANNOUNCE_ALLOWED_ADDRESSES: must be addresses or ranges such as/],
    [{ CONFIG_FILE: 'no-such.yaml' }, /: no-such.yaml cannot be read: ENOENT: no such file or directory$/],
    ...['http://own:7233', 'own:7233/path', 'own:', 'own:99999', '::1', 'two words'].map(
      (address): [Record<string, string>, RegExp] => [
        { TEMPORAL_ADDRESS: address },
        /^The configuration has errors:\n {2}TEMPORAL_ADDRESS: must be of the form host:port$/,
      ],
    ),
  ])('refuses %j by name', (env, message) => {
    expect(() => loadConfig(env)).toThrow(message);
  });

  it.each([
    [{ WEBHOOK_PORT: 'eighty' }, 'WEBHOOK_PORT: must be a whole number from 0 to 65535'],
    [{ WEBHOOK_PORT: '70000.5' }, 'WEBHOOK_PORT: must be a whole number from 0 to 65535'],
    [{ INBOX_LIMIT: '0' }, 'INBOX_LIMIT: must be a whole number of at least 1'],
    [{ SIMULATOR_SEED: '1.5' }, 'SIMULATOR_SEED: must be a whole number'],
    [{ SIMULATOR_DROP_RATE: '2' }, 'SIMULATOR_DROP_RATE: must be a number from 0 to 1'],
    [{ RETAIN_BODIES_DAYS: '0' }, 'RETAIN_BODIES_DAYS: must be more than 0'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace'],
    [{ RECONCILE_KINDS: 'order,stock' }, 'RECONCILE_KINDS: must be one of order, receipt, adjustment, assembly'],
  ])('says in words what is wrong with %j', (env, problem) => {
    expect(() => loadConfig(env)).toThrow(new Error(`The configuration has errors:\n  ${problem}`));
  });

  it('has a message in words for every variable', () => {
    for (const name of Object.keys(variables))
      for (const value of ['?', '-1', '1e300'])
        expect(messageOf(() => loadConfig({ [name]: value }))).not.toMatch(
          /Invalid|Too (small|big)|expected|received|✖/,
        );
  });

  it.each([
    'GRACE_PERIOD_MS',
    'RETRY_SLOW_MS',
    'REDISPATCH_AFTER_MS',
    'ANNOUNCE_FOR_MS',
    'WAREHOUSE_OUTAGE_MS',
    'WAREHOUSE_READ_LAG_MS',
    'RECONCILE_EVERY_MS',
  ] as const)('refuses a %s that Temporal has no timer for', (name) => {
    expect(loadConfig({ [name]: '315360000000' })[name]).toBe(315_360_000_000);
    expect(() => loadConfig({ [name]: '315360000001' })).toThrow(
      /: must be a whole number of milliseconds from [01] to 315360000000, or have a unit, such as 20s, 15m, 1h or 2d$/,
    );
  });

  it.each([
    ['90s', 90_000],
    ['15m', 900_000],
    ['1h', 3_600_000],
    ['2d', 172_800_000],
    ['250', 250],
  ])('reads %s as a duration', (given, ms) => {
    expect(loadConfig({ GRACE_PERIOD_MS: given }).GRACE_PERIOD_MS).toBe(ms);
    expect(loadConfig({ ORDER_STAGE_LIMITS: `created=1, 418:picked=${given}` }).ORDER_STAGE_LIMITS).toEqual({
      created: 1,
      '418:picked': ms,
    });
  });

  it.each(['1w', 'h', '1.5h', '1 h', '4000d'])('reads no duration from %s', (given) => {
    expect(messageOf(() => loadConfig({ GRACE_PERIOD_MS: given }))).toContain('such as 20s, 15m, 1h or 2d');
  });

  it('refuses limits of stages that Temporal has no timer for', () => {
    expect(loadConfig({ ORDER_STAGE_LIMITS: 'picked=315360000000' }).ORDER_STAGE_LIMITS).toEqual({
      picked: 315_360_000_000,
    });
    expect(loadConfig({ ORDER_STAGE_LIMITS: 'none' }).ORDER_STAGE_LIMITS).toBe('none');
    expect(() => loadConfig({ ORDER_STAGE_LIMITS: 'created=1,418:picked=315360000001' })).toThrow(
      'ORDER_STAGE_LIMITS: must have limits of at most 315360000000',
    );
  });

  it('refuses a delay that Node would run at once', () => {
    const name = 'SHUTDOWN_DELAY_MS';
    expect(loadConfig({ [name]: '2147483647' })[name]).toBe(2_147_483_647);
    expect(() => loadConfig({ [name]: '2147483648' })).toThrow(
      /: must be a whole number of milliseconds from [01] to 2147483647, /,
    );
  });

  it.each([
    ['localhost', 'localhost:7233'],
    ['10.0.0.1:7000', '10.0.0.1:7000'],
    ['[::1]', '[::1]:7233'],
    ['orders.abc.tmprl.cloud:7233', 'orders.abc.tmprl.cloud:7233'],
  ])("takes %s for Temporal's address, with the port of Temporal's clients", (given, address) => {
    expect(loadConfig({ TEMPORAL_ADDRESS: given }).TEMPORAL_ADDRESS).toBe(address);
  });

  it('reports every bad variable in one message, and no value', () => {
    const bad = {
      ...warehouse,
      WAREHOUSE_CLIENT_SECRET: '',
      WAREHOUSE_AUTH_URL: 'not-an-address',
      WEBHOOK_VERIFY: 'token',
      WEBHOOK_TOKEN: 'abc',
      ANNOUNCE_URL: 'https://x.example',
    };
    expect(() => loadConfig(bad)).toThrow(
      /WAREHOUSE_AUTH_URL.*WAREHOUSE_CLIENT_SECRET: is required with WAREHOUSE_BASE_URL.*WEBHOOK_TOKEN.*ANNOUNCE_SECRET/s,
    );
    expect(() => loadConfig(bad)).not.toThrow(/not-an-address|abc/);
  });
});
