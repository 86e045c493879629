// SPDX-License-Identifier: Apache-2.0
// SFP: start, frames, credit, end.
#include <services/streams/flows/sfp_protocol.h>
#include <algorithm>

namespace callis::streams {
namespace {

using namespace std::chrono_literals;
constexpr auto kBetweenStarts = 100ms;
constexpr auto kCreditAgain = 200ms;
constexpr int kMostStarts = 100;

}  // namespace

void SfpProtocol::open(Time now, Line& line) {
  const std::lock_guard lock(mutex_);
  if (!settings_.producer) return;
  line.data({}, sfp_bytes(SfpStart{}));
  starts_ = 1;
  start_due_ = now + kBetweenStarts;
}

Sent SfpProtocol::send_pieces(SfpFrame& head, ByteView data, Line& line) {
  const std::size_t piece = settings_.connection ? data.size() : settings_.piece_bytes;
  head.data = data.first(std::min(piece, data.size()));
  head.more = head.data.size() < data.size();
  if (!line.data(sfp_head(head), head.data)) return Sent::Failed;
  SfpFragment fragment;
  fragment.sequence = head.sequence;
  fragment.source = settings_.source;
  for (std::size_t at = head.data.size(); at < data.size(); at += piece) {
    ++fragment.number;
    fragment.data = data.subspan(at, std::min(piece, data.size() - at));
    fragment.more = at + piece < data.size();
    if (!line.data(sfp_head(fragment), fragment.data)) return Sent::Failed;
  }
  return Sent::Sent;
}

Sent SfpProtocol::send(const Frame& frame, Time, Line& line) {
  const std::lock_guard lock(mutex_);
  if (!settings_.producer || !agreed_) return Sent::NotConnected;
  if (frame.data.size() > settings_.most_frame_bytes) return Sent::TooLarge;
  if (settings_.credit && credit_ == 0) return Sent::NoCredit;
  SfpFrame head;
  const bool fragments = !settings_.connection && frame.data.size() > settings_.piece_bytes;
  head.type = settings_.timestamps               ? SfpType::Frame
              : settings_.sequences || fragments ? SfpType::SequencedFrame
                                                 : SfpType::SimpleFrame;
  head.sequence = sequence_++;
  head.timestamp = frame.timestamp;
  head.source = settings_.source;
  const Sent sent = send_pieces(head, frame.data, line);
  if (sent == Sent::Sent && settings_.credit) --credit_;
  return sent;
}

bool SfpProtocol::data(ByteView bytes, Time now, Line& line, FrameReceiver& to) {
  if (!settings_.connection) return message(bytes, now, line, to);
  const std::size_t most = settings_.most_frame_bytes + 4096;
  bool whole = unread_.empty();
  if (!whole) {
    unread_.insert(unread_.end(), bytes.begin(), bytes.end());
    bytes = unread_;
  }
  bool going = true;
  std::size_t used = 0;
  while (going && used < bytes.size()) {
    const ByteView rest = bytes.subspan(used);
    const std::optional<std::size_t> size = sfp_size(rest, most);
    if (!size) {  // nothing behind it can be read
      const std::lock_guard lock(mutex_);
      ++malformed_;
      broken_ = true;
      going = false;
    } else if (*size == 0 || *size > rest.size()) {
      break;
    } else {
      going = message(rest.first(*size), now, line, to);
      used += *size;
    }
  }
  if (whole) {
    unread_.assign(bytes.begin() + static_cast<std::ptrdiff_t>(used), bytes.end());
  } else {
    unread_.erase(unread_.begin(), unread_.begin() + static_cast<std::ptrdiff_t>(used));
  }
  return going;
}

bool SfpProtocol::message(ByteView bytes, Time now, Line& line, FrameReceiver& to) {
  const std::optional<SfpMessage> parsed = parse_sfp(bytes);
  std::optional<SfpAssembly::Whole> whole;
  const SfpFrame* frame = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (!parsed) {
      ++malformed_;
      return true;
    }
    if (const auto* start = std::get_if<SfpStart>(&*parsed)) {
      if (settings_.producer) return ++ignored_, true;
      const bool good = start->major == 1;
      line.data({}, sfp_bytes(SfpStartReply{!good}));
      agreed_ = good;
      return good;
    }
    if (const auto* reply = std::get_if<SfpStartReply>(&*parsed)) {
      if (!settings_.producer || agreed_) return ++ignored_, true;
      agreed_ = !reply->refused;
      credit_ = settings_.credit;
      return agreed_;
    }
    if (const auto* credit = std::get_if<SfpCredit>(&*parsed)) {
      if (!settings_.producer || !settings_.credit || credit->number <= credit_number_) return ++ignored_, true;
      credit_number_ = credit->number;
      credit_ = settings_.credit;
      return true;
    }
    if (settings_.producer || !agreed_) return ++ignored_, true;
    if (const auto* fragment = std::get_if<SfpFragment>(&*parsed)) {
      whole = assembly_.take(*fragment);
    } else if (std::get<SfpFrame>(*parsed).more) {
      whole = assembly_.take(std::get<SfpFrame>(*parsed));
    } else {
      frame = &std::get<SfpFrame>(*parsed);
    }
  }
  if (whole) frame = &whole->frame;
  return !frame || deliver(*frame, now, line, to);
}

bool SfpProtocol::deliver(const SfpFrame& in, Time now, Line& line, FrameReceiver& to) {
  if (in.type == SfpType::EndOfStream) return false;
  Frame frame;
  {
    const std::lock_guard lock(mutex_);
    ++received_;
    if (in.type == SfpType::SequencedFrame || in.type == SfpType::Frame) {
      const auto ahead = static_cast<std::int32_t>(in.sequence - highest_);
      if (received_any_ && ahead > 0) lost_ += ahead - 1;
      if (received_any_ && ahead < 0) --lost_;  // late, after it had been taken for lost
      if (!received_any_ || ahead > 0) highest_ = in.sequence;
      received_any_ = true;
    }
    if (settings_.credit) {
      last_frame_ = now;
      credit_due_ = true;
      if (++since_credit_ * 2 >= settings_.credit) give_credit(now, line);
    }
  }
  frame.data = in.data;
  frame.timestamp = in.timestamp;
  frame.source = in.source;
  frame.sequence = in.sequence;
  to.receive(frame);
  return true;
}

void SfpProtocol::give_credit(Time now, Line& line) {
  line.data({}, sfp_bytes(SfpCredit{++credit_number_}));
  since_credit_ = 0;
  last_frame_ = now;
}

SfpProtocol::Time SfpProtocol::tick(Time now, Line& line) {
  const std::lock_guard lock(mutex_);
  if (settings_.producer && !agreed_ && starts_ > 0 && starts_ < kMostStarts) {
    if (now >= start_due_) {
      if (!settings_.connection) line.data({}, sfp_bytes(SfpStart{}));
      ++starts_;
      start_due_ = now + kBetweenStarts;
    }
    return start_due_;
  }
  if (!settings_.producer && settings_.credit && credit_due_) {
    if (now - last_frame_ >= kCreditAgain) give_credit(now, line);
    return last_frame_ + kCreditAgain;
  }
  return !settings_.producer && settings_.credit ? now + kCreditAgain : Time::max();
}

void SfpProtocol::close(Time, Line& line, const char*) {
  const std::lock_guard lock(mutex_);
  if (!settings_.producer || !agreed_) return;
  SfpFrame end;
  end.type = SfpType::EndOfStream;
  line.data(sfp_head(end), {});
}

void SfpProtocol::set_source(std::uint32_t source) {
  const std::lock_guard lock(mutex_);
  settings_.source = source;
}

void SfpProtocol::set_status(bool sequences, bool timestamps) {
  const std::lock_guard lock(mutex_);
  settings_.sequences = sequences;
  settings_.timestamps = timestamps;
}

FlowQuality SfpProtocol::quality() const {
  const std::lock_guard lock(mutex_);
  FlowQuality out;
  out.received.received = received_;
  out.received.lost = lost_;
  out.malformed = malformed_;
  out.ignored = ignored_;
  out.source = settings_.source;
  return out;
}

}  // namespace callis::streams
