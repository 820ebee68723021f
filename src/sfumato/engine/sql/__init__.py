"""What engines that answer SQL say alike: `dialect` names what differs, `answers` what they all answer."""
