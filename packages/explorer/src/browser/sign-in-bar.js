import { createElement as h, useSyncExternalStore } from 'react';

/** The bar above the editors: shows who is signed in, and in which organization. */
export function SignInBar({ name, session, demo, base, links }) {
  const state = useSyncExternalStore(session.subscribe, () => session.state);
  return h(
    'header',
    { className: 'sign-in-bar' },
    h('strong', null, name),
    h(
      'nav',
      { 'aria-label': 'Other pages' },
      links.map(({ title, path }) => h('a', { key: path, href: base + path }, title)),
    ),
    state.profile ? h(Viewer, { session, state }) : h(SignIn, { session, demo }),
    h('span', { role: 'status' }, state.problem),
  );
}

function SignIn({ session, demo }) {
  const onSubmit = (event) => {
    event.preventDefault();
    session.signIn(Object.fromEntries(new FormData(event.currentTarget)));
  };
  const input = (name, type, label, autoComplete) =>
    h('input', { name, type, required: true, placeholder: label, 'aria-label': label, autoComplete });
  return [
    h(
      'form',
      { key: 'form', onSubmit },
      input('email', 'email', 'E-mail address', 'username'),
      input('password', 'password', 'Password', 'current-password'),
      h('button', { type: 'submit' }, 'Sign in'),
    ),
    ...demo.map(({ role, email, password }) =>
      h(
        'button',
        { key: role, type: 'button', className: 'demo', onClick: () => session.signIn({ email, password }) },
        `Demo ${role}`,
      ),
    ),
  ];
}

function Viewer({ session, state: { profile, organization } }) {
  const options = profile.organizations.map(({ id, name, role }) =>
    h('option', { key: id, value: id }, `${name} (${role})`),
  );
  const onChange = ({ target }) => session.choose(target.value);
  return [
    h('span', { key: 'name', title: profile.email }, `Signed in as ${profile.name}`),
    options.length > 0 &&
      h('select', { key: 'organization', value: organization, onChange, 'aria-label': 'Organization' }, options),
    h('button', { key: 'out', type: 'button', onClick: () => session.signOut() }, 'Sign out'),
  ];
}
