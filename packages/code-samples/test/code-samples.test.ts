import { expect, it } from 'vitest';
import { clientCall, codeLiteral, curlLine } from '../src/index.ts';

const request = { method: 'get', template: '/mills/{mill}/wheels', path: { mill: '7' } };
const curl = { serverUrl: 'https://mills.example', token: false, cookies: null };
const call = { lists: false, implied: 'x-team' };

it('is a line of curl, with its values quoted for the shell', () => {
  expect(curlLine({ ...request, query: { where: { name: "o'wheel" }, fields: ['id', 'name'] } }, curl)).toBe(
    `curl -G 'https://mills.example/mills/7/wheels' \\
  --data-urlencode 'where={"name":"o'\\''wheel"}' \\
  --data-urlencode 'fields=id name'`,
  );
  expect(curlLine({ ...request, method: 'post', body: {} }, { ...curl, token: true, cookies: 'sent' })).toBe(
    `curl -X POST 'https://mills.example/mills/7/wheels' \\
  -H "authorization: Bearer $TOKEN" \\
  -b cookies.txt -c cookies.txt \\
  -H 'content-type: application/json' \\
  -d '{}'`,
  );
});

it('is a call of a client, without the header that it sends itself', () => {
  const headers = { 'x-team': 't', 'if-match': '"3"' };
  expect(clientCall({ ...request, headers }, call)).toContain(
    `client.get('/mills/{mill}/wheels', { params: { path: { mill: '7' }, header: { 'if-match': '"3"' } } })`,
  );
  expect(clientCall({ method: 'get', template: '/mills' }, { ...call, lists: true })).toContain(
    "for await (const item of client.list('/mills'))",
  );
});

it('writes values as JavaScript that means the same', () => {
  const value = { 'x-a': ["it's", '"', '\\', '\n'], long: 'x'.repeat(80), nothing: null, empty: {} };
  expect(new Function(`return ${codeLiteral(value)}`)()).toEqual(value);
  expect(codeLiteral({ a: 1 })).toBe('{ a: 1 }');
});
