import { openChannels } from '../alerts/open-channels.ts';
import type { AlertSettings } from '../alerts/settings.ts';
import type { Config } from '../config/config.ts';
import { createPost } from '../destinations/sending/post.ts';
import { createSigner } from '../destinations/sending/signature.ts';
import { contextOf } from './destination-context.ts';

/** Opens the channels of the configuration; addresses are reached as those of destinations are. */
export function openAlertChannels(
  config: Config,
  { channels, boardUrl = boardUrlOf(config) }: Pick<AlertSettings, 'channels' | 'boardUrl'>,
  timeoutMs?: number,
) {
  return openChannels(channels, {
    boardUrl,
    timeoutMs,
    createSigner,
    createPost: (options) => createPost({ ...contextOf(config), ...options }),
  });
}

/** Returns the address of the administrative API, which serves the board. */
const boardUrlOf = ({ ADMIN_URL, ADMIN_HOST, ADMIN_PORT }: Config): string =>
  ADMIN_URL?.replace(/\/+$/, '') ?? `http://${ADMIN_HOST}:${ADMIN_PORT}`;
