import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { createServer as createTlsServer } from 'node:tls';
import { Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGuard, createGuardedConnector, createHostCheck } from '../../src/http/guard.ts';
import { requestTwice } from '../../src/http/post.ts';
import { listen } from '../support/listen.ts';

const OUTSIDE = 'https://hooks.example.com/announcements';

const internal = [
  '0.0.0.0',
  '10.1.2.3',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '168.63.129.16',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '::ffff:0:808:808',
  '::8.8.8.8',
  '::127.0.0.1',
  '64:ff9b::a00:1',
  '64:ff9b::',
  '64:ff9b::1:808:808',
  '64:ff9b:1::a9fe:a9fe',
  '64:ff9b:1:abcd::10.0.0.1',
  '64:ff9b:1:a00:0:100::',
  '64:ff9b:1:a00:0:1:808:808',
  '64:ff9b:2::808:808',
  '2001:0:1::1',
  '2002:a00:1::1',
  '2002:a00:1:808:808::808:808',
  '2002:7f00:1::1%eth0',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
];

/** IPv6 that stands for 8.8.8.8. */
const embedding = [
  '::ffff:8.8.8.8',
  '0:0:0:0:0:FFFF:808:808',
  '64:ff9b::8.8.8.8',
  '64:ff9b::808:808',
  '64:ff9b:1::808:808',
  '64:ff9b:1:abcd::808:808',
  '2002:808:808::1',
];

const external = [
  '8.8.8.8',
  '100.63.255.255',
  '172.15.0.1',
  '172.32.0.1',
  '192.167.0.1',
  '2606:4700::1111',
  '2a00::1',
  ...embedding,
];

describe('a guard', () => {
  it.each(internal)('refuses %s', (address) => {
    expect(createGuard(OUTSIDE, [])(address)).toBe(false);
  });

  it.each(external)('lets %s pass', (address) => {
    expect(createGuard(OUTSIDE, [])(address)).toBe(true);
  });

  it('refuses what is no address', () => {
    expect(createGuard(OUTSIDE, [])('an address unknown')).toBe(false);
  });

  it('lets listed addresses and ranges pass, and nothing beside them', () => {
    const guard = createGuard(OUTSIDE, ['10.0.0.5', '192.168.0.0/24', 'fd00::/8']);
    const listed = ['10.0.0.5', '192.168.0.77', 'fd12::1', '::ffff:10.0.0.5', '64:ff9b::10.0.0.5', '2002:a00:5::1'];
    expect(listed.filter((address) => !guard(address))).toEqual([]);
    expect(['10.0.0.6', '192.168.1.1', 'fe80::1', '127.0.0.1', '64:ff9b::10.0.0.6'].filter(guard)).toEqual([]);
    expect(['64:ff9b:1:1:1::', '64:ff9b::10.0.0.1'].map(createGuard(OUTSIDE, ['64:ff9b:1::/48']))).toEqual([
      true,
      false,
    ]);
  });

  const translations = [
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '::ffff:0:0/96',
    '2002::/16',
    '2001::/32',
    'fd00::/8',
    '::/0',
  ];

  it.each([
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1:a9fe:a9:fe00::',
    '64:ff9b:1:00a9:fe:a9fe::',
    '64:ff9b:1::a9:fea9:fe00:0',
    '64:ff9b:1::a9fe:aa02',
    '2002:a9fe:a9fe::1',
    '2001:0:4136:e378:8000:63bf:5601:5601',
    '::169.254.169.254',
    'fd00::5efe:a9fe:a9fe',
    'fd00:64::a83f:8110',
    '64:ff9b::10.0.0.1',
    '169.254.169.254',
    '10.0.0.1',
  ])('refuses %s, whatever range of IPv6 is listed', (address) => {
    expect(translations.filter((range) => createGuard(OUTSIDE, [range])(address))).toEqual([]);
    expect(createGuard(OUTSIDE, translations)(address)).toBe(false);
  });

  it('refuses the addresses of this machine, in every spelling', () => {
    const own = () => ['192.0.2.2', '2001:db8::2'];
    const spelled = ['192.0.2.2', '::ffff:192.0.2.2', '::ffff:c000:202', '64:ff9b::c000:202', '2001:DB8:0:0::2'];
    expect(spelled.filter(createGuard(OUTSIDE, [], own))).toEqual([]);
    expect(['192.0.2.3', '2001:db8::3'].filter(createGuard(OUTSIDE, [], own))).toEqual(['192.0.2.3', '2001:db8::3']);
    expect(spelled.filter(createGuard(OUTSIDE, own(), own))).toEqual(spelled);
    const mine = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
    expect(mine.filter(createGuard(OUTSIDE, []))).toEqual([]);
  });

  it('lets IPv6 that stands for an internal address pass if it is listed itself', () => {
    expect(createGuard(OUTSIDE, ['64:ff9b::a00:5'])('64:ff9b::10.0.0.5')).toBe(true);
    expect(createGuard(OUTSIDE, ['64:ff9b::/96'])('64:ff9b::8.8.8.8')).toBe(true);
    expect(createGuard(OUTSIDE, ['fd00::/8'])('fd00::1')).toBe(true);
  });

  it.each(['http://localhost:8090', 'http://127.0.0.1:8090', 'http://[::1]:8090', 'https://demo.localhost'])(
    'of %s lets loopback pass and nothing else',
    (url) => {
      const guard = createGuard(url, []);
      expect(['127.0.0.1', '::1', '::ffff:127.0.0.1'].map(guard)).toEqual([true, true, true]);
      expect(['8.8.8.8', ...embedding, '10.0.0.1', '2606:4700::1111', '169.254.169.254'].map(guard)).not.toContain(
        true,
      );
    },
  );
});

/** A server that counts connections and the bytes that come over them. */
async function startCounter() {
  const counts = { connections: 0, bytes: 0 };
  const server = createServer((socket) => {
    counts.connections += 1;
    socket.on('data', (chunk) => {
      counts.bytes += chunk.length;
    });
    socket.on('error', () => undefined);
  });
  return { counts, port: await listen(server) };
}

/** Starts a server that answers with 204, once it is resumed: until then the system takes no connections for it either. */
async function startFullServer(host: string, port = 0) {
  const program = `const server = require('node:http').createServer((_, answer) => answer.writeHead(204).end());
    server.listen({ host: '${host}', port: ${port}, backlog: 1 }, () => console.log(server.address().port));`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [printed] = await once(child.stdout, 'data');
  child.kill('SIGSTOP');
  const taken = [1, 2].map(() => connect({ host, port: Number(printed) }));
  onTestFinished(() => taken.forEach((socket) => void socket.destroy()));
  await Promise.all(taken.map((socket) => once(socket, 'connect')));
  return { port: Number(printed), resume: () => child.kill('SIGCONT') };
}

/** A name server that tells loopback for every name. */
const lookup: LookupFunction = (_hostname, { all }, callback) =>
  all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4);

function open(origin: string, options: { allowed?: string[]; connect?: object } = {}) {
  const guard = createGuard(origin, options.allowed ?? []);
  const agent = new Agent({ connect: createGuardedConnector(guard, { lookup, ...options.connect }) });
  onTestFinished(() => agent.destroy());
  return agent.request({ origin, path: '/', method: 'POST', body: 'a secret' });
}

describe('a guarded connection', () => {
  it.each(['[::ffff:127.0.0.1]', 'hooks.example.com'])(
    'to %s, which is loopback, is given up before any byte',
    async (host) => {
      const { counts, port } = await startCounter();
      await expect(open(`https://${host}:${port}`)).rejects.toMatchObject({
        code: 'ERR_DESTINATION_ADDRESS',
        message: expect.stringMatching(/ is at (::ffff:)?127\.0\.0\.1, which is internal$/),
      });
      await expect.poll(() => counts.connections).toBe(1);
      expect(counts.bytes).toBe(0);
    },
  );

  it('is upgraded to TLS once the address has passed', async () => {
    const psk = Buffer.from('a key of both ends');
    const server = createTlsServer({ ciphers: 'PSK', maxVersion: 'TLSv1.2', pskCallback: () => psk }, (socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n'));
    });
    const tls = {
      ciphers: 'PSK',
      maxVersion: 'TLSv1.2',
      pskCallback: () => ({ psk, identity: 'test' }),
      checkServerIdentity: () => undefined,
    };
    const response = await open(`https://hooks.example.com:${await listen(server)}`, {
      allowed: ['127.0.0.1'],
      connect: tls,
    });
    expect(response.statusCode).toBe(204);
  });

  it('is guarded anew when a request is sent again, though its name now leads elsewhere', async () => {
    const { counts, port } = await startCounter();
    const elsewhere = createServer((socket) => socket.destroy());
    elsewhere.listen(port, '127.0.0.2');
    await once(elsewhere, 'listening');
    onTestFinished(() => void elsewhere.close());
    const addresses = ['127.0.0.2', '127.0.0.1'];
    const changing: LookupFunction = (_hostname, _options, callback) =>
      callback(null, [{ address: addresses.shift() ?? '', family: 4 }]);
    const origin = `http://hooks.example.com:${port}`;
    const connector = { connect: createGuardedConnector(createGuard(origin, ['127.0.0.2']), { lookup: changing }) };
    const dispatchers = { kept: new Agent(connector), fresh: new Agent({ ...connector, pipelining: 0 }) };
    onTestFinished(async () => void (await Promise.all(Object.values(dispatchers).map((it) => it.destroy()))));
    const sending = requestTwice(dispatchers, { origin, path: '/', method: 'POST', body: 'a secret' });
    await expect(sending).rejects.toMatchObject({ code: 'ERR_DESTINATION_ADDRESS' });
    await expect.poll(() => counts.connections).toBe(1);
    expect(counts.bytes).toBe(0);
  });

  it.runIf(process.platform === 'linux')(
    'waits for an address that accepts late, before one that leads nowhere',
    async () => {
      const late = await startFullServer('127.0.0.2');
      await startFullServer('127.0.0.3', late.port);
      const both: LookupFunction = (_hostname, _options, callback) => {
        const found = ['127.0.0.2', '127.0.0.3'].map((address) => ({ address, family: 4 }));
        callback(null, found);
        // The first attempt is lost by now, and is made again by the system after a second.
        setImmediate(late.resume);
      };
      const origin = `http://hooks.example.com:${late.port}`;
      const agent = new Agent({
        connect: createGuardedConnector(createGuard(origin, ['127.0.0.0/8']), { lookup: both }),
      });
      onTestFinished(() => agent.destroy());
      expect((await agent.request({ origin, path: '/', method: 'POST', body: 'x' })).statusCode).toBe(204);
    },
  );

  it('that nobody takes fails with its own error', async () => {
    await expect(open('http://127.0.0.1:1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('the check of a host that a proxy is asked for', () => {
  const guard = createGuard(OUTSIDE, ['10.0.0.5']);

  it.each(['127.0.0.1', '169.254.169.254', '[::1]', '[::ffff:10.0.0.1]', '[64:ff9b::a00:1]', '0x7f.1', '2130706433'])(
    'refuses %s',
    async (host) => {
      await expect(createHostCheck(guard)(host)).rejects.toMatchObject({ code: 'ERR_DESTINATION_ADDRESS' });
    },
  );

  it.each(['8.8.8.8', '10.0.0.5', '[2606:4700::1111]'])('lets %s pass', async (host) => {
    await expect(createHostCheck(guard)(host)).resolves.toBeUndefined();
  });

  it('refuses a name of which any address is internal', async () => {
    const find = async () => [
      { address: '8.8.8.8', family: 4 },
      { address: '10.0.0.6', family: 4 },
    ];
    await expect(createHostCheck(guard, find)('hooks.example.com')).rejects.toThrow(
      'hooks.example.com is at 10.0.0.6, which is internal',
    );
  });

  it('leaves a name that is not known here to the proxy', async () => {
    const unknown = async () => Promise.reject(new Error('ENOTFOUND'));
    await expect(createHostCheck(guard, unknown)('hooks.example.com')).resolves.toBeUndefined();
  });
});
