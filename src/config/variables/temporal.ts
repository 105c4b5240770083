import { z } from 'zod';
import { port, text, wholeNumber } from '../../forms/forms.ts';
import { codecKeys } from '../../temporal/settings.ts';

/** Temporal's own reader parses it. */
const setting = z.string();

export const temporal = {
  TEMPORAL_ADDRESS: text
    .optional()
    .describe(
      'A Temporal server of your own, host:port (port 7233 unless you name one). Unset: an embedded one on TEMPORAL_PORT and TEMPORAL_UI_PORT.',
    ),
  TEMPORAL_NAMESPACE: text.default('default').describe('Its namespace.'),
  TEMPORAL_PROFILE: setting
    .optional()
    .describe(
      "How to reach it, as Temporal's own tools read it: a profile of their file (by default temporal.toml in the user's configuration) can have the address and everything down to TEMPORAL_API_KEY. The file is read only if this or TEMPORAL_CONFIG_FILE is set.",
    ),
  TEMPORAL_CONFIG_FILE: setting.optional().describe('The path of that file, where it is not in its usual place.'),
  // Temporal's own reader takes any other text for "no".
  TEMPORAL_TLS: z
    .enum(['true', 'false', '1', '0'])
    .optional()
    .describe('true encrypts the connection; an API key or a certificate does so by itself.'),
  TEMPORAL_TLS_SERVER_NAME: setting
    .optional()
    .describe('The name in its certificate, where that is not the name in its address.'),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: setting
    .optional()
    .describe(
      'The authority of its certificate, where that is one of your own: a PEM file, or its text in the variable that ends in DATA.',
    ),
  TEMPORAL_TLS_SERVER_CA_CERT_DATA: setting.optional(),
  TEMPORAL_TLS_CLIENT_CERT_PATH: setting
    .optional()
    .describe('A client certificate with its key (mTLS), where the server wants one, as PEM likewise.'),
  TEMPORAL_TLS_CLIENT_CERT_DATA: setting.optional(),
  TEMPORAL_TLS_CLIENT_KEY_PATH: setting.optional(),
  TEMPORAL_TLS_CLIENT_KEY_DATA: setting.optional(),
  TEMPORAL_API_KEY: setting.optional().describe('An API key. It, the profile and the files are read at the start.'),
  TEMPORAL_PORT: port.default(7233).describe('The ports of the embedded server and of its web interface.'),
  TEMPORAL_UI_PORT: port.default(8233),
  TEMPORAL_BUILD_ID: z
    .string()
    .regex(/^[\w.+-]{1,100}$/, 'must be of letters, digits, dots, hyphens, underscores and plus signs')
    .optional()
    .describe(
      'The name of this build, if Temporal is to decide which version of the workers continues running workflows (docs/runbooks.md).',
    ),
  TEMPORAL_CACHED_WORKFLOWS: wholeNumber(2)
    .default(300)
    .describe(
      'The number of workflows that a worker keeps in memory between their tasks, some 0.3 MB each; others are replayed from their history.',
    ),
  TEMPORAL_ACTIVITIES: z
    .enum(['inline', 'regular'])
    .optional()
    .describe(
      "How workflows retrieve and announce. inline: within the workflow's own task first, and as an activity if that fails or the rate is used up; this costs the least. regular: always as activities, of which Temporal shows each attempt. Unset: inline if one process has all roles, else regular.",
    ),
  TEMPORAL_SEARCH_ATTRIBUTES: z
    .enum(['all', 'attention', 'none'])
    .default('all')
    .describe(
      'Search attributes of workflows that are kept up to date. all; attention: Attention, Lateness, DueAt, ReferenceNumber and Customer, which change once or twice for each order, where the others cost an action with nearly each event; none. The board needs none of them.',
    ),
  TEMPORAL_CODEC_KEYS: codecKeys
    .optional()
    .describe(
      'Keys that encrypt what Temporal keeps of workflows, id:key, each key 32 bytes in base64 (openssl rand -base64 32), separated by commas. The first encrypts, all decrypt. Put a new one last in every process before it goes first in any; keep an old one as long as there are histories under it. Search attributes and ids stay readable. Unset: nothing is encrypted.',
    ),
  DESTINATION_KEYS: codecKeys
    .optional()
    .describe(
      'Keys of the same form that encrypt the secrets of destinations which are added while Dockline runs. All processes need the same ones. Unset: destinations can only be configured.',
    ),
};
