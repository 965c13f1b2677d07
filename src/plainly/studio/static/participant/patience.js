// The least time before an answer: a quiet count in the head of the page, and buttons that look as if they wait.

export class Patience {
  // box: where the count stands; body: gets data-waiting meanwhile.
  constructor(box, body, say) {
    Object.assign(this, { box, body, say, timer: null, until: 0 });
  }

  // Counts from now on; nothing to wait for: no seconds.
  begin(seconds) {
    this.end();
    if (!(seconds > 0)) return;
    this.until = performance.now() + 1000 * seconds;
    this.body.dataset.waiting = "";
    this.box.hidden = false;
    const tick = () => {
      const left = Math.ceil((this.until - performance.now()) / 1000);
      if (left <= 0) return this.end();
      this.box.textContent = this.say("participant.early", { seconds: left });
      this.timer = setTimeout(tick, this.until - performance.now() - 1000 * (left - 1) + 5);
    };
    tick();
  }

  get waits() {
    return performance.now() < this.until;
  }

  end() {
    clearTimeout(this.timer);
    this.until = 0;
    this.box.hidden = true;
    delete this.body.dataset.waiting;
  }
}
