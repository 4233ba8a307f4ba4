import { styleText } from 'node:util';

/** As pino writes it. */
interface Line {
  level: number;
  time: number;
  msg?: string;
  [field: string]: unknown;
}

/** Fields of every line, and those that a line of a request shows differently. */
const known = ['level', 'time', 'pid', 'hostname', 'msg', 'err', 'requestId', 'traceId', 'url'];
const ofRequest = ['method', 'path', 'status', 'ms', 'outcome', 'ip'];

const warning = 40;
const failure = 50;

/** A line of the log for a terminal. */
export function plainLine(json: string): string {
  const line = JSON.parse(json) as Line;
  const { level, time, msg = '', err } = line;
  const clock = styleText('dim', new Date(time).toTimeString().slice(0, 8));
  const isRequest = msg === 'request';
  const hidden = isRequest ? [...known, ...ofRequest] : known;
  const text = isRequest ? requestOf(line) : msg;
  const fields = Object.entries(line).flatMap(([name, value]) =>
    hidden.includes(name) || value === null || value === undefined ? [] : [`${name}=${shown(value)}`],
  );
  const rest = fields.length > 0 ? ` ${styleText('dim', fields.join(' '))}` : '';
  const said = `${clock} ${marked(level, text)}${rest}\n`;
  const { stack, message } = (err ?? {}) as { stack?: string; message?: string };
  return level >= failure && (stack ?? message) ? `${said}${stack ?? message}\n` : said;
}

function requestOf({ method, path, status, ms }: Line): string {
  const time = typeof ms === 'number' ? ` ${Math.round(ms)} ms` : '';
  return `${method} ${path} ${status ?? 'aborted'}${time}`;
}

function marked(level: number, text: string): string {
  if (level >= failure) return styleText('red', `error: ${text}`);
  return level >= warning ? styleText('yellow', `warning: ${text}`) : text;
}

function shown(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
