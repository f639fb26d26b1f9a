#include "report/markup/style_sheet.h"

namespace lab {

// No text is smaller than 13 px. A colour alone never carries a meaning: words or signs do, too.
const std::string_view kStyleSheet = R"css(
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #fff; --ink: #1b1f24; --soft: #59636e; --line: #d9dee4; --code: #f3f5f7;
  --good: #1a7f4b; --good-back: #e3f5ea; --bad: #b3261e; --bad-back: #fdecea; --mark: #fff1c9;
  --notice: #8a5a00; --notice-back: #fff3d6; --idle: #59636e; --idle-back: #eceff2; --link: #1f6fb2;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171b; --card: #1c2026; --ink: #e4e8ec; --soft: #a3adb8; --line: #343b44; --code: #15181d;
    --good: #6fd39b; --good-back: #16352a; --bad: #ff9a92; --bad-back: #42201f; --mark: #423813;
    --notice: #f0c66b; --notice-back: #3b2f12; --idle: #a3adb8; --idle-back: #2a3038; --link: #7db9ee;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
main { max-width: 960px; margin: 0 auto; padding: 28px 24px 56px; }
h1 { font-size: 26px; line-height: 1.25; margin: 0; }
h2 { font-size: 19px; margin: 32px 0 10px; }
h3 { font-size: 16px; margin: 0 0 8px; overflow-wrap: anywhere; }
p { margin: 8px 0; overflow-wrap: anywhere; }
a { color: var(--link); }
.soft { color: var(--soft); font-size: 14px; }
.top { display: flex; gap: 24px; align-items: flex-end; justify-content: space-between; margin-bottom: 18px; }
.top > div:first-child { min-width: 0; overflow-wrap: anywhere; }
.score { text-align: right; white-space: nowrap; }
.score b { font-size: 40px; line-height: 1; font-variant-numeric: tabular-nums; }
.score span { font-size: 18px; color: var(--soft); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px 20px;
  margin: 12px 0; }
.card.bad { border-left: 5px solid var(--bad); }
.card.notice { border-left: 5px solid var(--notice); }
.card.good { border-left: 5px solid var(--good); }
.headline { font-size: 18px; line-height: 1.4; font-weight: 600; margin: 4px 0 10px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { text-align: left; font-size: 14px; font-weight: 600; color: var(--soft); }
th, td { padding: 5px 12px 5px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th:last-child, td:last-child { padding-right: 0; }
tr:last-child > td, tr:last-child > th { border-bottom: 0; }
td { overflow-wrap: anywhere; }
.number { text-align: right; white-space: nowrap; }
.who { width: 26%; }
.tight { width: 1%; white-space: nowrap; }
.badge { display: inline-block; min-width: 74px; padding: 1px 9px; border-radius: 5px; font-size: 13px;
  font-weight: 600; text-align: center; white-space: nowrap; color: var(--idle); background: var(--idle-back); }
.badge.good { color: var(--good); background: var(--good-back); }
.badge.bad { color: var(--bad); background: var(--bad-back); }
.badge.notice { color: var(--notice); background: var(--notice-back); }
code, pre, .source { font: 14px/1.5 ui-monospace, "Cascadia Code", "DejaVu Sans Mono", Menlo, Consolas, monospace; }
pre { margin: 8px 0; padding: 10px 14px; background: var(--code); border-radius: 7px; overflow-x: auto;
  white-space: pre; tab-size: 4; }
pre.wrap { white-space: pre-wrap; overflow-wrap: anywhere; }
.source { background: var(--code); border-radius: 7px; overflow-x: auto; padding: 8px 0; margin: 10px 0; tab-size: 4; }
.source table { width: auto; min-width: 100%; }
.source td { border: 0; padding: 0 14px 0 0; white-space: pre; overflow-wrap: normal; }
.source td:first-child { text-align: right; color: var(--soft); padding: 0 12px; width: 1%;
  border-left: 4px solid transparent; user-select: none; }
.source tr.hit td { background: var(--mark); }
.source tr.hit td:first-child { border-left-color: var(--bad); color: var(--ink); font-weight: 600; }
.source tr.note td { color: var(--bad); font-weight: 600; white-space: pre-wrap; }
.source tr.gap td { color: var(--soft); }
.source tr.much td:first-child { border-left-color: var(--notice); color: var(--ink); font-weight: 600; }
.beside { display: grid; grid-template-columns: 1fr 1fr; gap: 16px; width: min(96vw, 1600px); margin-left: 50%;
  transform: translateX(-50%); }
.beside > div { min-width: 0; }
@media (max-width: 900px) { .beside { grid-template-columns: 1fr; } }
.values { margin: 10px 0; }
.values table { width: auto; }
.values th, .values td { padding: 2px 18px; border-bottom: 0; white-space: nowrap; text-align: right; }
.values td { font: 14px/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.values th:last-child, .values td:last-child { text-align: left; padding-right: 12px; }
.values .wrong td { background: var(--bad-back); color: var(--bad); font-weight: 600; }
.scale { position: relative; height: 62px; margin: 14px 0 4px; }
.scale span { position: absolute; }
.scale .axis { top: 28px; height: 10px; border-radius: 5px; background: var(--idle-back); }
.scale .accepted { top: 28px; height: 10px; border-radius: 0 5px 5px 0; background: var(--good-back); }
.scale .interval { top: 24px; height: 18px; min-width: 6px; border-radius: 4px; background: var(--bad); }
.scale .interval.good { background: var(--good); }
.scale .interval.notice { background: var(--notice); }
.scale .limit { top: 20px; height: 26px; border-left: 3px solid var(--ink); }
.scale .word { font-size: 13px; line-height: 16px; white-space: nowrap; width: auto !important; }
.scale .word.above { top: 0; transform: translateX(-50%); font-weight: 600; }
.scale .word.below { top: 47px; transform: translateX(-50%); color: var(--soft); }
.bar { position: relative; display: block; height: 14px; min-width: 120px; margin: 5px 0; border-radius: 3px;
  background: var(--idle-back); overflow: hidden; }
.bar span { position: absolute; top: 0; height: 14px; }
.bar .mine { background: var(--bad); } .bar .other { background: var(--soft); }
.bar .good { background: var(--good); } .bar .notice { background: #d99a1c; } .bar .bad { background: var(--bad); }
details { margin: 10px 0; }
summary { cursor: pointer; color: var(--link); font-size: 15px; }
ul { margin: 8px 0; padding-left: 22px; } li { margin: 4px 0; overflow-wrap: anywhere; }
figure { margin: 0; } figure img { display: block; max-width: 100%; height: auto; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(400px, 1fr)); gap: 12px; }
.figures .card { margin: 0; min-width: 0; }
.counts { display: grid; grid-template-columns: repeat(auto-fit, minmax(180px, 1fr)); gap: 10px; margin: 16px 0; }
.counts div { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 10px 14px;
  font-size: 14px; color: var(--soft); line-height: 1.35; }
.counts b { display: block; font-size: 26px; line-height: 1.2; color: var(--ink); }
.counts .alert b { color: var(--bad); }
footer { margin-top: 36px; padding-top: 12px; border-top: 1px solid var(--line); color: var(--soft); font-size: 13px;
  overflow-wrap: anywhere; }
@media print { body { background: none; } .card { break-inside: avoid; } }
)css";

}  // namespace lab
