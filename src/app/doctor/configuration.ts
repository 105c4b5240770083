import { duration } from '../../admin/board/text.ts';
import { type Config, loadConfig } from '../../config/config.ts';
import { messageOf } from '../../domain/errors.ts';
import { allLimits } from '../../domain/lifecycle/stage-limits.ts';
import { examine, failed, ok, warning } from './check.ts';

/** Of an environment, whose source is named; there is no configuration if that fails. */
export async function checkConfiguration(
  { env, source }: { readonly env: Readonly<Record<string, string | undefined>>; readonly source: string },
  stop: AbortSignal,
) {
  let config: Config | undefined;
  const results = await examine({ area: 'configuration', tenant: null, timeoutMs: 1000, stop }, async ({ check }) => {
    config = await check<Config>('settings', source, async () => {
      try {
        const parsed = loadConfig(env);
        return { ...judgeSettings(parsed), value: parsed };
      } catch (error) {
        return failed(
          messageOf(error),
          'Correct the settings that are named; .env.example and docs/configuration.md describe them.',
        );
      }
    });
  });
  return { config, results };
}

function judgeSettings(config: Config) {
  const { tenants, notices } = config;
  const found = [...notices, describeTenants(config), ...describeEmbedded(config), describeLimits(config)].join(' ');
  if (notices.length === 0) return ok(found);
  const judge = tenants.every(({ destinations }) => destinations.length > 0) ? warning : failed;
  return judge(found, 'Correct or remove the variables that are named.');
}

function describeLimits({ ORDER_STAGE_LIMITS: given }: Config): string {
  const limits = Object.entries(allLimits(given)).map(([stage, ms]) => `${stage} ${duration(ms)}`);
  return limits.length > 0
    ? `An order has stalled after: ${limits.join(', ')}.`
    : 'Stage limits are off, so no order is reported as stalled.';
}

const describeTenants = ({ tenants }: Config): string =>
  tenants.length > 0
    ? `The warehouse is ${tenants.map(({ id }) => id).join(', ')}.`
    : 'The warehouse is simulated, since WAREHOUSE_BASE_URL is not set.';

function describeEmbedded({ tenants, TEMPORAL_ADDRESS, DATABASE_URL }: Config): string[] {
  const embedded = [
    ...(tenants.length > 0 && tenants.every(({ destinations }) => destinations.length > 0)
      ? []
      : ['the receiver (no ANNOUNCE_URL)']),
    ...(TEMPORAL_ADDRESS ? [] : ['Temporal (no TEMPORAL_ADDRESS)']),
    ...(DATABASE_URL ? [] : ['SQLite (no DATABASE_URL)']),
  ];
  return embedded.length > 0 ? [`Embedded are ${embedded.join(', ')}.`] : [];
}
