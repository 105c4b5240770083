/** The receiver of the README. */
export const RECEIVER = `import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.ANNOUNCE_SECRET);
const port = Number(process.env.PORT ?? 8090);

createServer(async (request, response) => {
  try {
    const { type, subject } = webhook.verify(await text(request), request.headers);
    // Store it here, once for each id: Dockline sends it again until you answer 2xx.
    console.log(request.headers['webhook-id'], type, subject ?? '');
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(port, () => console.log('Listening on port', port));
`;
