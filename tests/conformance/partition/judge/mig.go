package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	v1 "github.com/NVIDIA/mig-parted/api/spec/v1"
	"github.com/NVIDIA/mig-parted/cmd/nvidia-mig-parted/assert"
	"github.com/NVIDIA/mig-parted/pkg/types"
	"sigs.k8s.io/yaml"
)

// What `nvidia-mig-parted assert --valid-config -f FILE -c NAME` calls, for every NAME of the file. Beyond it, what mig-parted
// passes over in silence, asked of its own functions: keys that are there twice, filters that are no device ID, profiles that
// the driver writes otherwise, counts of 0 (such a configuration is never found applied). It does not know which profiles and
// how many a card takes: 3g.40gb nine times is valid here.
func judgeMig(v *verdict, text []byte) {
	of := configurations(v, text)
	for _, key := range slices.Sorted(maps.Keys(of)) {
		if key != "" && key != "config.yaml" {
			v.refuse("key %q: MIG Manager reads config.yaml alone", key)
		}
	}
	if len(v.refused) > 0 {
		return
	}
	file := asFile(of["config.yaml"] + of[""])
	defer os.Remove(file)
	spec, err := assert.ParseConfigFile(&assert.Flags{ConfigFile: file, ValidConfig: true})
	if err != nil {
		v.refuse("error parsing config file: %v", err)
		return
	}
	if err := yaml.UnmarshalStrict([]byte(of["config.yaml"]+of[""]), &v1.Spec{}); err != nil {
		v.refuse("%v", err)
	}
	names := slices.Sorted(maps.Keys(spec.MigConfigs))
	if len(names) == 0 {
		names = []string{""} // upstream says what it thinks of none
	}
	for _, name := range names {
		entries, err := assert.GetSelectedMigConfig(&assert.Flags{ConfigFile: file, SelectedConfig: name, ValidConfig: true}, spec)
		if err != nil {
			v.refuse("error selecting MIG config: %v", err)
			continue
		}
		nameable(v, name)
		for i, entry := range entries {
			judgeEntry(v, fmt.Sprintf("%s[%d]", name, i), entry)
		}
	}
	v.accept("%d configurations accepted", len(names))
}

func judgeEntry(v *verdict, where string, entry v1.MigConfigSpec) {
	filters, _ := entry.DeviceFilter.([]string)
	if one, is := entry.DeviceFilter.(string); is {
		filters = []string{one}
	}
	for _, filter := range filters {
		if _, err := types.NewDeviceIDFromString(filter); err != nil {
			v.refuse("%s: device-filter: it matches nothing: %v", where, err)
		}
	}
	devices, some := entry.Devices.([]int)
	if some && len(devices) == 0 {
		v.refuse("%s: devices is empty: it matches nothing", where)
	}
	for _, device := range devices {
		if device < 0 {
			v.refuse("%s: devices: %d matches nothing", where, device)
		}
	}
	line := fmt.Sprintf("%s devices=%s", where, strings.ReplaceAll(fmt.Sprint(entry.Devices), " ", ","))
	if len(filters) > 0 {
		line += " device-filter=" + strings.Join(filters, ",")
	}
	if !entry.MigEnabled {
		v.accept("%s mig=disabled", line)
		return
	}
	line += " mig=enabled"
	applied := types.MigConfig{}
	var asked []string
	for _, profile := range slices.Sorted(maps.Keys(entry.MigDevices)) {
		count := entry.MigDevices[profile]
		line += fmt.Sprintf(" %s=%d", profile, count)
		if count > 0 {
			applied[profile] = count
		}
		info, is := profileNamed(profile)
		if !is || info.String() != profile {
			v.refuse("%s: %q is not as the driver writes a profile", where, profile)
			continue
		}
		_, resources := offered("mixed", info)
		for _, resource := range resources {
			asked = append(asked, fmt.Sprintf("%s resource %s=%d", where, resource, count))
		}
	}
	if !applied.Equals(entry.MigDevices) {
		v.refuse("%s: a count of 0: mig-parted never finds it applied", where)
	}
	v.accept("%s", line)
	for _, line := range asked {
		v.accept("%s", line)
	}
}
