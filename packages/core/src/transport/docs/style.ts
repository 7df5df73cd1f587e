/** The style sheet of the pages of errors, a file of its own because the page policy forbids inline styles. */
export const STYLE = `:root {
  color-scheme: light dark;
  --text: #1c2128; --muted: #545d68; --page: #ffffff; --panel: #f4f6f8; --line: #d5dae0; --link: #0a53be;
  --get: #0b6b3a; --post: #0a53be; --patch: #875300; --delete: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e3e7ec; --muted: #a4adb8; --page: #14171b; --panel: #1d2127; --line: #363c45; --link: #84b6ff;
    --get: #6fd39b; --post: #84b6ff; --patch: #f0bb62; --delete: #ff958c;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; color: var(--text); background: var(--page);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: break-word;
}
a { color: var(--link); }
a:focus-visible, [tabindex="0"]:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -999rem; padding: .5rem 1rem; background: var(--page); z-index: 1; }
.skip:focus { left: .5rem; top: .5rem; }
header {
  display: flex; flex-wrap: wrap; gap: .25rem 2rem; align-items: baseline; justify-content: space-between;
  padding: .8rem 1.25rem; border-bottom: 1px solid var(--line);
}
header nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
.brand { margin: 0; font-weight: 650; }
.brand a { color: inherit; text-decoration: none; }
.brand span, .muted { color: var(--muted); font-weight: 400; }
main { max-width: 54rem; margin: 0 auto; padding: 1rem 1.25rem 5rem; }
main:focus { outline: none; }
h1 { margin: .5rem 0 .75rem; font-size: 2rem; line-height: 1.2; }
h2 { margin: 3rem 0 .75rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); font-size: 1.5rem; }
h3 { margin: 2.5rem 0 .4rem; font-size: 1.15rem; }
h4 { margin: 1.4rem 0 .4rem; font-size: .95rem; }
p, ul, dl { margin: .5rem 0; }
code, pre { font: .88em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { margin: .5rem 0; padding: .8rem 1rem; overflow-x: auto; background: var(--panel); border-radius: .4rem; }
.route { font-weight: 600; }
.method { display: inline-block; margin-right: .5rem; }
.get { color: var(--get); } .post { color: var(--post); } .patch { color: var(--patch); } .delete { color: var(--delete); }
.frame { margin: .6rem 0; overflow-x: auto; border: 1px solid var(--line); border-radius: .4rem; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
caption { padding: .5rem .75rem; font-weight: 600; text-align: left; }
th, td { padding: .4rem .75rem; border-top: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { color: var(--muted); font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 400; white-space: nowrap; }
td { min-width: 5rem; overflow-wrap: break-word; }
td:last-child { min-width: 12rem; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .3rem 1.25rem; }
dt { color: var(--muted); }
dd { margin: 0; }
@media (max-width: 52rem) {
  h1 { font-size: 1.6rem; }
}
@media (max-width: 30rem) {
  dl { display: block; }
  dd { margin-bottom: .5rem; }
}
`;
