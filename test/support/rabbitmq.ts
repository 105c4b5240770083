import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConfirmChannel, connect } from 'amqplib';
import pRetry from 'p-retry';
import { findPort } from '../../sandbox/temporal-server/port.ts';
import { run, startWatchedProcess } from '../../sandbox/temporal-server/programs.ts';

/** Where Debian has the programs themselves; those on the PATH become another user. */
const PROGRAMS = '/usr/lib/rabbitmq/bin';
const SERVER = join(PROGRAMS, 'rabbitmq-server');
const ERL_CALL = '/usr/lib/erlang/bin/erl_call';

/** Reports whether RabbitMQ is installed (Debian's package `rabbitmq-server`). */
export const hasRabbit = existsSync(SERVER);

/** Password of the broker's user, which nothing may show. */
export const PASSWORD = 'hush@hush';

/** Bytes of the largest message that a broker takes by default. */
export const LARGEST = 20_000;

/** Starts a broker of its own in a temporary folder, on a free port, with an epmd of its own. */
export async function startRabbit({
  tls,
  largest = LARGEST,
}: {
  readonly tls?: { readonly [Item in 'ca' | 'cert' | 'key']: string };
  /** Bytes of the largest message. */
  readonly largest?: number;
} = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'dockline-rabbitmq-'));
  const [port = 0, tlsPort, distribution, epmd] = await Promise.all([1, 2, 3, 4].map(() => findPort(0, '')));
  const path = (name: string) => join(folder, name);
  await writeFile(
    path('rabbitmq.conf'),
    [
      `listeners.tcp.1 = 127.0.0.1:${port}`,
      'default_user = dockline',
      `default_pass = ${PASSWORD}`,
      `max_message_size = ${largest}`,
      ...(tls
        ? [
            `listeners.ssl.1 = 127.0.0.1:${tlsPort}`,
            `ssl_options.cacertfile = ${tls.ca}`,
            `ssl_options.certfile = ${tls.cert}`,
            `ssl_options.keyfile = ${tls.key}`,
            'ssl_options.verify = verify_peer',
            'auth_mechanisms.1 = PLAIN',
            'auth_mechanisms.2 = EXTERNAL',
            'ssl_cert_login_from = common_name',
          ]
        : []),
    ].join('\n'),
  );
  await writeFile(path('plugins'), '[rabbitmq_auth_mechanism_ssl].');
  const env = {
    HOME: folder,
    ERL_EPMD_PORT: String(epmd),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_NODENAME: `dockline-${port}@localhost`,
    RABBITMQ_DIST_PORT: String(distribution),
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
    RABBITMQ_CONFIG_FILE: path('rabbitmq.conf'),
    RABBITMQ_ENABLED_PLUGINS_FILE: path('plugins'),
    RABBITMQ_MNESIA_BASE: path('data'),
    RABBITMQ_LOG_BASE: path('log'),
    RABBITMQ_PID_FILE: path('pid'),
    // Otherwise a shell stays in front of it, which does not end with it.
    RUNNING_UNDER_SYSTEMD: 'true',
  };
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const address = `amqp://dockline:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`;

  async function start() {
    const server = startWatchedProcess('env', [...settings, SERVER]);
    const ended = server.exited.then(({ stderr }) => Promise.reject(new Error(`RabbitMQ ended: ${stderr}`)));
    ended.catch(() => undefined);
    const isUp = async () => await (await connect(address)).close();
    await Promise.race([ended, pRetry(isUp, { retries: 3_000, minTimeout: 100, maxTimeout: 200 })]);
    return server;
  }

  let server = await start();
  return {
    port,
    /** Its address with the user and the password. */
    url: address,
    tlsUrl: address.replace('amqp:', 'amqps:').replace(`:${port}`, `:${tlsPort}`),
    /** Does something on a channel of its own. */
    async administer<T>(act: (channel: ConfirmChannel) => Promise<T>): Promise<T> {
      const connection = await connect(address);
      try {
        return await act(await connection.createConfirmChannel());
      } finally {
        await connection.close();
      }
    },
    /** Kills it, as a crash does. */
    async kill() {
      process.kill(-(server.pid as number), 'SIGKILL');
      await server.exited;
    },
    /** Has the broker evaluate an expression of Erlang, as `rabbitmqctl eval` does, which takes some seconds of a processor. */
    async evaluate(expression: string) {
      const cookie = (await readFile(path('.erlang.cookie'), 'utf8')).trim();
      const call = ['-c', cookie, '-sname', env.RABBITMQ_NODENAME, '-e'];
      const calling = run('env', [...settings, ERL_CALL, ...call]);
      calling.child.stdin?.end(`${expression}.\n`);
      const { stdout } = await calling;
      if (!stdout.startsWith('{ok, ')) throw new Error(`RabbitMQ answered ${stdout} to ${expression}`);
      return stdout;
    },
    async restart() {
      server = await start();
    },
    async close() {
      await server.stop();
      await run('epmd', ['-port', String(epmd), '-kill']).catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Broker of tests. */
export type Rabbit = Awaited<ReturnType<typeof startRabbit>>;
