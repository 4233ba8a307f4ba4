export const style = `
:root { color-scheme: light dark; --ink: #1b2230; --soft: #566075; --paper: #fff; --ground: #f2f4f8; --line: #d5dae4; --accent: #2450c8; --on-accent: #fff; --bad: #b3261e; --good: #12703c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebf2; --soft: #a6afc2; --paper: #1a2030; --ground: #10141e; --line: #343d52; --accent: #9db7ff; --on-accent: #0d1530; --bad: #ffb4ab; --good: #7fdca4; } }
* { box-sizing: border-box; }
body { font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; margin: 0; color: var(--ink); background: var(--ground); }
main { max-width: 32rem; margin: clamp(1rem, 6vh, 5rem) auto; padding: clamp(1.25rem, 4vw, 2.5rem); background: var(--paper); border: 1px solid var(--line); border-radius: 14px; }
main, header.site { width: calc(100% - 2rem); }
main.wide { max-width: 58rem; }
main.page { max-width: 42rem; background: linear-gradient(var(--accent) 0 5px, var(--paper) 5px); }
header.site { max-width: 42rem; margin: clamp(1rem, 4vh, 3rem) auto 0; padding: 0 clamp(1.25rem, 4vw, 2.5rem); }
header.site + main { margin-top: .75rem; }
header.site a { color: inherit; font-weight: 600; overflow-wrap: anywhere; }
h1 { font-size: clamp(1.5rem, 4vw, 2.1rem); line-height: 1.2; margin: 0 0 1rem; overflow-wrap: anywhere; text-wrap: balance; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 2rem 0 .5rem; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
label, legend { display: block; font-weight: 600; margin: 1.25rem 0 .25rem; padding: 0; }
fieldset { border: 0; margin: 0; padding: 0; }
fieldset label, label.check { font-weight: 400; margin: .25rem 0; display: flex; gap: .6rem; align-items: baseline; }
input, textarea, select { font: inherit; color: inherit; background: var(--paper); width: 100%; padding: .55rem .7rem; border: 1px solid var(--soft); border-radius: 8px; }
input[type=checkbox], input[type=radio] { width: 1.15rem; height: 1.15rem; flex: none; margin: 0; transform: translateY(.15rem); accent-color: var(--accent); }
textarea { min-height: 7rem; }
input + p { margin-top: .75rem; }
[aria-invalid=true] { border-color: var(--bad); border-width: 2px; }
button, a.button { font: inherit; font-weight: 600; display: inline-block; margin-top: 1.5rem; padding: .65rem 1.4rem; border: 0; border-radius: 8px; color: var(--on-accent); background: var(--accent); text-decoration: none; cursor: pointer; }
button:disabled { opacity: .55; cursor: default; }
ul.plain { list-style: none; margin: 0; padding: 0; }
ul.plain > li { border-top: 1px solid var(--line); padding: 1rem 0; }
ul.plain h2 { margin: 0 0 .25rem; overflow-wrap: anywhere; }
ul.plain p { margin: 0 0 .4rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.25rem; margin: 0 0 1.25rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 0 1rem; padding: .7rem .9rem; background: var(--ground); border-radius: 8px; font: .95rem/1.5 ui-monospace, Menlo, Consolas, monospace; }
iframe { width: 100%; height: 28rem; border: 1px solid var(--line); border-radius: 8px; background: #fff; }
.soft, .help { color: var(--soft); }
.help, .fault { margin: .15rem 0 .35rem; font-size: .95rem; }
.fault { color: var(--bad); font-weight: 600; }
.badge { display: inline-block; padding: .1rem .7rem; border: 1px solid currentColor; border-radius: 99px; font-size: .9rem; font-weight: 600; }
.good { color: var(--good); }
.bad { color: var(--bad); }
ul.plain h3 { font-size: 1.2rem; line-height: 1.3; margin: 0 0 .25rem; overflow-wrap: anywhere; }
.dated { display: grid; grid-template-columns: 4rem minmax(0, 1fr); gap: 1.1rem; align-items: start; }
.tile { display: grid; justify-items: center; border: 1px solid var(--line); border-radius: 10px; overflow: hidden; line-height: 1.2; padding-bottom: .35rem; color: var(--soft); font-size: .8rem; }
.tile span:first-child { justify-self: stretch; text-align: center; background: var(--accent); color: var(--on-accent); font-weight: 600; text-transform: uppercase; letter-spacing: .06em; padding: .15rem 0; margin-bottom: .3rem; }
.tile b { font-size: 1.5rem; color: var(--ink); }
main > .dated { margin-bottom: 1.25rem; }
.address { overflow-wrap: anywhere; user-select: all; }
.text blockquote { margin: 0 0 1rem; padding-left: 1rem; border-left: 4px solid var(--line); }
.lines { white-space: pre-line; }
.kicker { margin: 0; }
.lead { font-size: 1.15rem; margin: 0 0 .75rem; }
.text { margin: 1.5rem 0; }
.field { margin: 0 0 1.5rem; }
.field:has(> .fault) { border-left: 4px solid var(--bad); padding-left: 1rem; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.5rem 0; }
.actions .button { margin: 0; }
.field > label, legend { margin-top: 0; overflow-wrap: anywhere; }
input.short { max-width: 16rem; }
section { margin-top: 2rem; padding-top: .5rem; border-top: 1px solid var(--line); }
section h2 { margin-top: 1rem; }
form > button:last-child, .actions button { margin-top: 0; }
a.button.quiet, button.quiet { color: var(--accent); background: none; box-shadow: inset 0 0 0 1px currentColor; }
.notice { border: 2px solid var(--good); border-left-width: 8px; border-radius: 8px; padding: 1rem 1.25rem; margin: 0 0 1.75rem; }
.notice.good, .notice.bad { color: inherit; }
.notice.bad { border-color: var(--bad); }
.notice.bad a { color: var(--bad); font-weight: 600; }
.notice h2 { margin: 0 0 .5rem; }
.notice p, .notice ul { margin: 0; }
nav.pages { display: flex; justify-content: space-between; gap: 1rem; padding: 1rem 0 1.5rem; border-top: 1px solid var(--line); }
nav.pages a[rel=next] { margin-left: auto; }
main.landing { max-width: 76rem; margin-block: 1rem; padding-block: 1.5rem; }
.landing section { min-width: 0; margin-top: 1rem; }
.landing ul.plain > li { padding: .3rem 0; margin: 0; }
.landing p { margin-bottom: .5rem; }
.command { position: relative; }
.command pre { white-space: pre; overflow-x: auto; overflow-wrap: normal; margin-bottom: .7rem; font-size: .8rem; line-height: 1.4; }
.command .copy { position: absolute; top: .4rem; right: .4rem; margin: 0; padding: .15rem .6rem; font-size: .8rem; background: var(--paper); }
@media (min-width: 64rem) { .columns { columns: 2; column-gap: 2.5rem; } .columns section { break-inside: avoid; } }
form.seek { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin: 1.5rem 0; }
form.seek > div { flex: 1 1 10rem; }
form.seek input, form.seek select { height: 2.8rem; }
form.seek label { margin-top: 0; }
ol, ul { padding-left: 1.4rem; }
li { margin-bottom: .4rem; overflow-wrap: anywhere; }
@media (max-width: 30rem) { main, header.site { width: auto; } main { margin: 0; border-width: 0 0 1px; border-radius: 0; } header.site + main { margin-top: 1rem; } dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .6rem; } }
`;
