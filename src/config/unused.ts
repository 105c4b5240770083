import { kinds } from '../destinations/kinds/kinds.ts';
import type { Environment } from '../forms/forms.ts';
import { type SchemeName, schemes } from '../ingress/verification/schemes.ts';
import { accessForms } from '../warehouse/settings.ts';
import type { TenantSettings } from './tenants/tenant.ts';
import { kindOfAddress, variableOf } from './tenants/variables.ts';
import { type Variables, variables } from './variables.ts';

/** Variables as they are set, and what became of them. */
interface Settings {
  readonly given: Environment;
  readonly parsed: Variables;
  readonly tenants: readonly TenantSettings[];
  /** Variables that files of settings name. */
  readonly named: ReadonlySet<string>;
}

/** Returns a sentence for each group of variables that are set and have no effect, for the same reason. */
export function findUnused({ given, parsed, tenants, named }: Settings): string[] {
  const { announce } = variableOf;
  // The embedded receiver has a detail, too.
  const { url: _url, detail: _detail, maxBytes: _maxBytes, ...ofOwn } = announce;
  const isReal = tenants.length > 0;
  const rules: readonly [names: readonly string[], reason: string | false][] = [
    [Object.values(ofOwn), !parsed.ANNOUNCE_URL && 'without ANNOUNCE_URL'],
    [ofOtherKinds(parsed), 'with this kind of ANNOUNCE_URL'],
    [namesOfAccess, unusedAccess(parsed, isReal)],
    [Object.keys(given).filter((name) => name.startsWith('SIMULATOR_')), isReal && 'with a real warehouse'],
    [ignoredBySchemes(parsed, tenants), `with WEBHOOK_VERIFY=${parsed.WEBHOOK_VERIFY}`],
    [['METRICS_HOST'], !parsed.METRICS_PORT && !parsed.TEMPORAL_METRICS_PORT && 'without METRICS_PORT'],
    [['CODEC_HOST', 'CODEC_TOKEN', 'CODEC_ORIGINS'], !parsed.CODEC_PORT && 'without CODEC_PORT'],
    [['OTEL_TRACES_SAMPLER_ARG'], !parsed.OTEL_TRACES_SAMPLER.endsWith('ratio') && 'with this OTEL_TRACES_SAMPLER'],
  ];
  return rules.flatMap(([names, reason]) => {
    const unused = names.filter((name) => given[name] && !named.has(name) && !isDefault(name, given[name]));
    return reason === false || unused.length === 0 ? [] : [sentence(unused, reason)];
  });
}

/** Variables that give access to a tenant's data; the others are also those of a simulated warehouse or of a file's tenants. */
const namesOfAccess = (Object.keys(accessForms) as (keyof typeof accessForms)[]).map((key) => variableOf[key]);

/** Files such as a chart's values show defaults. */
const isDefault = (name: string, value: string): boolean =>
  value === String(variables[name as keyof Variables].parse(undefined));

const sentence = (names: readonly string[], reason: string): string =>
  `${names.join(', ')} ${names.length === 1 ? 'has' : 'have'} no effect ${reason}.`;

function unusedAccess({ WAREHOUSE_BASE_URL }: Variables, isReal: boolean): string | false {
  if (WAREHOUSE_BASE_URL) return false;
  return isReal
    ? 'with warehouses in CONFIG_FILE, unless it names them'
    : 'without WAREHOUSE_BASE_URL: the warehouse is simulated';
}

/** Returns the variables of destinations of another kind than that of `ANNOUNCE_URL`. */
function ofOtherKinds({ ANNOUNCE_URL }: Variables): string[] {
  const { forms } = kinds[kindOfAddress(ANNOUNCE_URL)];
  return ANNOUNCE_URL ? Object.entries(variableOf.announce).flatMap(([key, name]) => (key in forms ? [] : [name])) : [];
}

/** Returns the variables of verification that the scheme of no tenant reads. */
function ignoredBySchemes(parsed: Variables, tenants: readonly TenantSettings[]): string[] {
  const { verify: _, ...settings } = variableOf.webhook;
  const used = [parsed.WEBHOOK_VERIFY, ...tenants.map(({ webhook }) => webhook.verify)];
  const read = used.flatMap((name) => Object.keys(schemes[name as SchemeName]?.settings ?? {}));
  return Object.entries(settings).flatMap(([key, name]) => (read.includes(key) ? [] : [name]));
}
