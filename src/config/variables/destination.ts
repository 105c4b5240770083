import { z } from 'zod';
import { describeSetting, formsOf, settingKeys } from '../../destinations/kinds/kinds.ts';
import { details } from '../../domain/outgoing.ts';
import { addressRanges, duration, port, timeout } from '../../forms/forms.ts';
import { namesOf, variablesOf } from '../setting-variables.ts';

export const announceNames = namesOf('ANNOUNCE', settingKeys);

/** The kinds' own descriptions apply to a setting. */
export const destination = {
  ...variablesOf(announceNames, (key) => formsOf(key).map(({ form }) => form)),
  // Read beside the setting.
  ANNOUNCE_URL: z
    .string()
    .optional()
    .describe(`${describeSetting('url')} Unset: an embedded receiver on ANNOUNCE_PORT.`),
  ANNOUNCE_CLIENT_CERT: z.string().optional(),
  ANNOUNCE_DETAIL: z.enum(details).optional(),
  ANNOUNCE_TO_SANDBOX: z
    .enum(['yes', 'no'])
    .default('no')
    .describe(
      'Dockline does not start with a warehouse beyond this machine and no destination, unless this is yes: the embedded receiver acknowledges announcements and forgets them.',
    ),
  ANNOUNCE_TIMEOUT_MS: timeout.default(10_000).describe('Timeout of the destination, at most 30000.'),
  ANNOUNCE_FOR_MS: duration(1)
    .default(259_200_000)
    .describe(
      'How long an announcement is tried before it is dead-lettered: three days. A dead letter is sent again on request.',
    ),
  ANNOUNCE_STOP_AFTER_MS: duration(1)
    .optional()
    .describe(
      'Time for which a destination may do nothing but fail before nothing more is sent to it until somebody resumes it; what comes meanwhile waits and is not dead-lettered. Unset: only one that answers 410 is stopped.',
    ),
  ANNOUNCE_ALLOWED_ADDRESSES: addressRanges(0).describe(
    'Private addresses that announcements may go to: addresses or ranges, separated by commas.',
  ),
  ANNOUNCE_PORT: port.default(8090).describe('Port of the embedded receiver.'),
};
