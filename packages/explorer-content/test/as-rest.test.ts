import { buildSchema, parse } from 'graphql';
import { expect, it } from 'vitest';
import { curlOf, listRequest, requestTarget } from '../src/as-rest/request.ts';
import { restRequests } from '../src/as-rest/translate.ts';

const schema = buildSchema(`
  type Query { mills(first: Int, after: String): MillConnection! }
  type Mutation { renameMill(input: RenameMillInput!): RenameMillPayload }
  input RenameMillInput { id: ID!, millName: String! }
  type RenameMillPayload { mill: Mill }
  type MillConnection { nodes: [Mill!]!, totalCount: Int! }
  type Mill { id: ID!, millName: String! }
`);
const twins = {
  lists: { Mill: { path: '/mills', item: '/mills/{mill}', fields: ['id', 'mill_name'], relations: [] } },
  mutations: {
    renameMill: { method: 'patch', path: '/mills/{mill}', object: { field: 'id', parameter: 'mill' }, nullable: [] },
  },
  ...{ reads: {}, enums: {} },
};
const requestsOf = (document: string, variables = {}) =>
  restRequests({ schema, document: parse(document), variables, twins, viewerId: null, now: new Date() });

const globalId = (id: string) => Buffer.from(`Mill:${id}`).toString('base64');

it('translates a list with its page, its fields and its count', () => {
  const requests = requestsOf('query($n: Int = 3) { mills(first: $n, after: "c") { totalCount nodes { millName } } }');
  const targets = requests.map((each) => ('reason' in each ? each.reason : requestTarget(each)));
  expect(targets).toEqual(['/mills?limit=3&token=c&fields=mill_name', '/mills/count']);
});

it('translates a mutation to the method, path and body of its command', () => {
  const id = '019b76ed-6dc7-7e8c-bea8-808ce138a5c9';
  expect(
    requestsOf('mutation($input: RenameMillInput!) { renameMill(input: $input) { mill { id } } }', {
      input: { id: globalId(id), millName: 'Old mill' },
    }),
  ).toMatchObject([{ method: 'PATCH', path: `/mills/${id}`, body: { mill_name: 'Old mill' } }]);
});

it('sends a query that is too long for a URL as a body', () => {
  const where = JSON.stringify({ id: { $in: Array.from({ length: 200 }, (_, index) => `mill-${index}`) } });
  expect(listRequest('/mills', { where, limit: '5' }, [])).toMatchObject({
    ...{ method: 'POST', path: '/mills/query', query: {} },
    body: { where: JSON.parse(where), limit: 5 },
  });
});

it('writes a request as a command line, which a shell reads as it is meant', () => {
  const options = { service: 'https://mills.example', organization: 'o' };
  const list = listRequest('/mills/{mill}/sails', { where: `{"name":"O'Neill $HOME"}` }, []);
  expect(curlOf(list, options)).toBe(`curl -s -G "https://mills.example/mills/$MILL/sails" \\
  -H "authorization: Bearer $TOKEN" \\
  -H 'x-organization-id: o' \\
  --data-urlencode 'where={"name":"O'\\''Neill $HOME"}'`);
});
