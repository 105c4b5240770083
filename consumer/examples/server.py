"""Takes Dockline's announcements, each once and in order: ANNOUNCE_SECRET=whsec_... python3 server.py"""
import base64, hashlib, hmac, json, os, re, sqlite3, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
KEY, LOCK = base64.b64decode(os.environ["ANNOUNCE_SECRET"].removeprefix("whsec_")), threading.Lock()
assert len(KEY) >= 24, "ANNOUNCE_SECRET is no secret"
DATABASE = sqlite3.connect(os.environ.get("DATABASE", "announcements.db"), check_same_thread=False)
DATABASE.execute("create table if not exists subjects (subject text primary key, last integer not null)")

def is_authentic(headers, body):
    sent_at, signatures = headers["webhook-timestamp"] or "", " ".join(headers.get_all("webhook-signature", []))
    if not (sent_at.isdecimal() and abs(time.time() - int(sent_at)) <= 300):
        return False
    code = hmac.new(KEY, f"{headers['webhook-id']}.{sent_at}.".encode() + body, hashlib.sha256).digest()
    return any(hmac.compare_digest(b"v1," + base64.b64encode(code), one.encode()) for one in re.findall(r"(?<![^\s,])[^\s,]+,[^\s,]+", signatures))  # of one header or several

def take(announcement_id, message):
    data = message["data"]
    if message["id"] != announcement_id:
        return 401
    if announcement_id.startswith("test/"):  # a test of the connection
        return 204
    subject = f"{data['kind']}:{data['tenant']}:{data['id']}" if "revision" in data else announcement_id
    sequence, previous = data.get("revision", 1), data.get("previous") or 0  # and what this endpoint gets before it
    with LOCK, DATABASE:  # commits at the end, rolls back if anything fails
        (last,) = DATABASE.execute("select max(last) from subjects where subject = ?", [subject]).fetchone()
        if previous > (last or 0):
            return 425  # one before it is missing: Dockline sends both again, in order
        if sequence > (last or 0):
            print("taken", announcement_id, flush=True)  # your work, with the same database
            advice = data.get("advice", {})  # of orders: what shipped, of each line, and in which parcels
            for line in advice.get("lines", []):
                print(" ", line.get("sku"), line.get("ordered", line.get("expected")), line.get("shipped", line.get("received")))
            print(" ", *advice.get("trackingNumbers", []), flush=True)
            DATABASE.execute("insert or replace into subjects values (?, ?)", [subject, sequence])
    return 204

class Endpoint(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"] or 0))
        self.send_response(take(self.headers["webhook-id"], json.loads(body)) if is_authentic(self.headers, body) else 401)
        self.end_headers()

server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Endpoint)
print("listening on port", server.server_port, flush=True)
server.serve_forever()
