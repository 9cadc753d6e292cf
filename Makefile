# Every target with a "##" text is listed by `make help`.

EXE ?= chuhe
CARGO ?= cargo
RELEASE := target/release/chuhe

ifeq ($(OS),Windows_NT)
	SUFFIX := .exe
endif

.DEFAULT_GOAL := exe
.PHONY: exe help build run test perft mates bench lint doc net smoke selfplay rule-losses endings referee clients fuzz portable

# The contract of OpenBench: `make EXE=name` leaves an executable of that name here.
exe: build ## Build and copy the binary to EXE (default: chuhe)
	@cp $(RELEASE)$(SUFFIX) $(EXE)$(SUFFIX)

help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | sort | expand -t 14

build: ## Build the release binary
	$(CARGO) build --release

run: build ## Let the engine answer a real UCCI dialogue and show where the binary is
	@echo "--- ucci-scripts/first-move.txt, answered by the engine:"
	@$(RELEASE)$(SUFFIX) < ucci-scripts/first-move.txt
	@echo "--- Load this file into your GUI as a UCCI (or UCI) engine:"
	@echo "$(CURDIR)/$(RELEASE)$(SUFFIX)"

test: ## Format check, clippy, all tests, documentation
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	$(CARGO) clippy --features tune -- -D warnings
	$(CARGO) clippy --no-default-features -- -D warnings
	$(CARGO) clippy --no-default-features --features arbiter -- -D warnings
	$(CARGO) test --workspace
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps

perft: ## The published perft counts to depth 5
	$(CARGO) test -p xiangqi --test perft -- --include-ignored

mates: ## Rates of mates found within a second or two, and the composed endgames
	$(CARGO) test --release --test mates -- --ignored --nocapture --test-threads 1

bench: build ## The engine's fingerprint: nodes of a fixed search
	$(RELEASE) bench

lint: ## Format check and clippy only
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings

# Most users sit at Windows. Checking needs no linker for the target, only its standard library.
PORTABLE_TARGETS := x86_64-pc-windows-gnu aarch64-unknown-linux-gnu

portable: ## Clippy for Windows and for 64-bit ARM (fetches their standard libraries with rustup)
	rustup target add $(PORTABLE_TARGETS)
	for target in $(PORTABLE_TARGETS); do \
	  $(CARGO) clippy --workspace --all-targets --target $$target -- -D warnings || exit 1; \
	done

doc: ## Build the documentation of the code
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps

smoke: ## 20 short games of the assertion build against itself over UCCI
	SELFPLAY_GAMES=20 SELFPLAY_NODES=200 $(CARGO) test --test selfplay -- --ignored --nocapture

selfplay: ## 200 games of the assertion build against itself at 2000 nodes a move
	SELFPLAY_GAMES=200 SELFPLAY_NODES=2000 $(CARGO) test --test selfplay -- --ignored --nocapture

rule-losses: ## 500 games of the engine against itself: nobody loses by the rules who had a good move left
	$(CARGO) test --test rule_losses -- --ignored --nocapture

endings: ## The shares of won positions in small endings, by a retrograde solver
	$(CARGO) test --test endings -- --ignored --nocapture

referee: build ## Prove the referee: 1000 games in-process, 80 against fairy-stockfish, an independent oracle
	tests/referee/run.sh $(RELEASE)

# The whole way to a network. For one worth having: NET_GAMES=100000, hours of work.
NET_DIR ?= target/net
NET_GAMES ?= 500
NET_NODES ?= 600
NET_SEED ?= 1
NET_FROM ?= hce
NET_HIDDEN ?= 64
NET_BUCKETS ?= 1
NET_EPOCHS ?= 30
NET_BATCH ?= 1024
NET_WDL ?= 0.1
NET_MATCH_GAMES ?= 40
# Games at a time while generating; empty: one for each core.
NET_WORKERS ?=
# A file of lines that half of the generated games start with; empty: none.
NET_OPENINGS ?=

net: build ## Generate games, train a network and play it against hce (NET_GAMES, NET_NODES, NET_HIDDEN, ...)
	mkdir -p $(NET_DIR)
	$(RELEASE) datagen --out $(NET_DIR)/$(NET_SEED).games --games $(NET_GAMES) --nodes $(NET_NODES) \
	  --seed $(NET_SEED) --net $(NET_FROM) \
	  $(if $(NET_WORKERS),--workers $(NET_WORKERS)) $(if $(NET_OPENINGS),--openings "$(NET_OPENINGS)")
	$(RELEASE) dataset stats $(NET_DIR)/*.games
	$(RELEASE) dataset expand $(NET_DIR)/*.games --out $(NET_DIR)/net.records
	$(RELEASE) train $(NET_DIR)/net.records --out $(NET_DIR)/net.nnue --hidden $(NET_HIDDEN) \
	  --buckets $(NET_BUCKETS) --epochs $(NET_EPOCHS) --batch $(NET_BATCH) --wdl $(NET_WDL)
	$(RELEASE) match --engine name=net,option.EvalFile=$(NET_DIR)/net.nnue \
	  --engine name=hce,option.EvalFile=hce --each nodes=5000 --games $(NET_MATCH_GAMES)

clients: build ## The engine under real clients, headless: xboard, cchess, xiangqibench, pikafish-terminal
	tests/clients/run.sh $(RELEASE)$(SUFFIX)

# FUZZ_SECONDS a target; the three targets together get three times that.
FUZZ_SECONDS ?= 600

fuzz: ## Coverage-guided fuzzing of the command parser, the FEN and whole sessions
	fuzz/run.sh $(FUZZ_SECONDS)
