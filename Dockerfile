# The program in a container: docker build -t nrdr . && docker run --rm -v "$PWD:/data" nrdr embed table.csv
FROM rust:1.95-bookworm AS build
WORKDIR /nrdr
COPY . .
RUN cargo build --release --locked -p nrdr-cli
RUN python3 scripts/third_party.py third-party-licences.txt

FROM debian:bookworm-slim
COPY --from=build /nrdr/target/release/nrdr /usr/local/bin/nrdr
COPY --from=build /nrdr/LICENSE-MIT /nrdr/LICENSE-APACHE /nrdr/third-party-licences.txt /usr/share/doc/nrdr/
WORKDIR /data
ENTRYPOINT ["nrdr"]
CMD ["--help"]
